"""asyncio on the guest's clock. Where other loops wait for sockets, this one waits for the gateway's replies, so that
`await`, asyncio.run and asyncio.sleep work as everywhere."""

import asyncio
import math
from asyncio import base_events, events, runners

from . import host


class _Waiting:
    """In place of a selector."""

    def __init__(self, loop):
        self._loop = loop

    def select(self, timeout):
        host.bridge.settle_promises()
        if self._loop._ready or (timeout is not None and timeout <= 0):
            return []
        host.wait(-1 if timeout is None else math.ceil(host.bridge.now() + timeout * 1000))
        return []

    def close(self):
        pass


class GuestLoop(base_events.BaseEventLoop):
    def __init__(self):
        super().__init__()
        self._selector = _Waiting(self)

    def time(self):
        return host.bridge.now() / 1000

    def _process_events(self, event_list):
        pass

    def _write_to_self(self):
        pass


class GuestLoopPolicy(events._BaseDefaultEventLoopPolicy):
    _loop_factory = GuestLoop


def install():
    """In the place of Pyodide's loop, which belongs to a browser and claims to be running all the time."""
    events._set_running_loop(None)
    events._set_event_loop_policy(GuestLoopPolicy())
    asyncio.run = runners.run


def running():
    return asyncio.get_running_loop()


def complete(awaitable):
    """The value of anything that a synchronous caller has; what is no awaitable is its own value."""
    if not hasattr(awaitable, "__await__"):
        return awaitable

    async def wait():
        return await awaitable

    return run(wait())


def run(coroutine):
    try:
        outer = asyncio.get_running_loop()
    except RuntimeError:
        outer = None
    if outer is None:
        with asyncio.Runner(loop_factory=GuestLoop) as runner:
            return runner.run(coroutine)
    # Inside a running loop a second one takes its turn meanwhile.
    events._set_running_loop(None)
    try:
        with asyncio.Runner(loop_factory=GuestLoop) as runner:
            return runner.run(coroutine)
    finally:
        events._set_running_loop(outer)
