"""Imported before the snapshot, so that a run finds them there: what programs use most."""

import argparse, array, ast, asyncio, base64, bisect, calendar, collections, collections.abc, colorsys, concurrent.futures
import contextlib, copy, csv, dataclasses, datetime, decimal, difflib, email.message, email.parser, enum, fnmatch, fractions
import functools, getpass, glob, gzip, hashlib, heapq, hmac, html, html.parser, http.client, importlib, inspect, io
import ipaddress, itertools, json, keyword, linecache, locale, logging, math, numbers, operator, os, pathlib, pickle
import platform, posixpath, pprint, queue, random, re, secrets, shlex, shutil, signal, socket, ssl, stat, statistics, string
import struct, subprocess, sys, tempfile, textwrap, threading, time, timeit, tokenize, traceback, types, typing, unicodedata
import urllib.parse, urllib.request, uuid, warnings, weakref, xml.etree.ElementTree, zipfile, zlib, zoneinfo, _strptime
