// What a program finds in a guest beside the language itself. A test compares it with tests/golden/globals.txt, in both
// directions: one member on each line.
declare const context: any, args: any, deps: any;

declare class MCPToolError extends Error {
  constructor(message?: string, options?: { code?: string; toolName?: string; cause?: unknown });
  code: string;
  toolName?: string;
  structuredContent?: any;
}
declare class PermissionDenied extends Error {
  code: string;
  toolName?: string;
}
declare class ApprovalDenied extends PermissionDenied {
}

declare const console: {
  assert(condition?: unknown, ...data: any[]): void;
  clear(): void;
  count(label?: string): void;
  countReset(label?: string): void;
  debug(...data: any[]): void;
  dir(item?: any, options?: any): void;
  dirxml(...data: any[]): void;
  error(...data: any[]): void;
  group(...data: any[]): void;
  groupCollapsed(...data: any[]): void;
  groupEnd(): void;
  info(...data: any[]): void;
  log(...data: any[]): void;
  table(data?: any, columns?: string[]): void;
  time(label?: string): void;
  timeEnd(label?: string): void;
  timeLog(label?: string, ...data: any[]): void;
  trace(...data: any[]): void;
  warn(...data: any[]): void;
};

declare function setTimeout(handler: (...args: any[]) => void, timeout?: number, ...args: any[]): number;
declare function setInterval(handler: (...args: any[]) => void, timeout?: number, ...args: any[]): number;
declare function clearTimeout(id?: number): void;
declare function clearInterval(id?: number): void;
declare function queueMicrotask(callback: () => void): void;
declare function structuredClone<T>(value: T, options?: { transfer?: any[] }): T;
declare function atob(data: string): string;
declare function btoa(data: string): string;
declare function require(name: string): any;
declare const process: any, performance: any, Buffer: any;
declare function emit(name: string, data: unknown, type?: string): { name: string; type: string; size: number; digest: string };
type Buffer = any;

type BufferSource = ArrayBuffer | ArrayBufferView;

interface EventInit {
  bubbles?: boolean;
  cancelable?: boolean;
  composed?: boolean;
}
declare class Event {
  constructor(type: string, options?: EventInit);
  static readonly AT_TARGET: 2;
  static readonly BUBBLING_PHASE: 3;
  static readonly CAPTURING_PHASE: 1;
  static readonly NONE: 0;
  readonly AT_TARGET: 2;
  readonly BUBBLING_PHASE: 3;
  readonly CAPTURING_PHASE: 1;
  readonly NONE: 0;
  readonly bubbles: boolean;
  cancelBubble: boolean;
  readonly cancelable: boolean;
  readonly composed: boolean;
  readonly currentTarget: EventTarget | null;
  readonly defaultPrevented: boolean;
  readonly eventPhase: number;
  readonly isTrusted: boolean;
  returnValue: boolean;
  readonly srcElement: EventTarget | null;
  readonly target: EventTarget | null;
  readonly timeStamp: number;
  readonly type: string;
  composedPath(): EventTarget[];
  initEvent(type: string, bubbles?: boolean, cancelable?: boolean): void;
  preventDefault(): void;
  stopImmediatePropagation(): void;
  stopPropagation(): void;
}
type EventHandler = ((event: any) => void) | { handleEvent(event: any): void } | null;
declare class EventTarget {
  constructor();
  addEventListener(type: string, handler: EventHandler, options?: boolean | { capture?: boolean; once?: boolean; passive?: boolean; signal?: AbortSignal }): void;
  dispatchEvent(event: Event): boolean;
  removeEventListener(type: string, handler: EventHandler, options?: boolean | { capture?: boolean }): void;
}
declare class AbortSignal extends EventTarget {
  private constructor();
  static abort(reason?: any): AbortSignal;
  static any(signals: Iterable<AbortSignal>): AbortSignal;
  static timeout(milliseconds: number): AbortSignal;
  readonly aborted: boolean;
  onabort: ((event: Event) => void) | null;
  readonly reason: any;
  throwIfAborted(): void;
}
declare class AbortController {
  constructor();
  readonly signal: AbortSignal;
  abort(reason?: any): void;
}

declare class URL {
  constructor(url: string | URL, base?: string | URL);
  static canParse(url: string | URL, base?: string | URL): boolean;
  static parse(url: string | URL, base?: string | URL): URL | null;
  hash: string;
  host: string;
  hostname: string;
  href: string;
  readonly origin: string;
  password: string;
  pathname: string;
  port: string;
  protocol: string;
  search: string;
  readonly searchParams: URLSearchParams;
  username: string;
  toJSON(): string;
  toString(): string;
}
declare class URLSearchParams implements Iterable<[string, string]> {
  constructor(init?: Iterable<string[]> | Record<string, string> | string | URLSearchParams);
  readonly size: number;
  append(name: string, value: string): void;
  delete(name: string, value?: string): void;
  entries(): IteratorObject<[string, string]>;
  forEach(callback: (value: string, key: string, parent: URLSearchParams) => void, thisArg?: any): void;
  get(name: string): string | null;
  getAll(name: string): string[];
  has(name: string, value?: string): boolean;
  keys(): IteratorObject<string>;
  set(name: string, value: string): void;
  sort(): void;
  toString(): string;
  values(): IteratorObject<string>;
  [Symbol.iterator](): IteratorObject<[string, string]>;
}

declare class TextEncoder {
  constructor();
  readonly encoding: string;
  encode(input?: string): Uint8Array<ArrayBuffer>;
  encodeInto(source: string, destination: Uint8Array): { read: number; written: number };
}
declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean });
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  decode(input?: BufferSource, options?: { stream?: boolean }): string;
}

interface ReadableStreamReadDone<T> {
  done: true;
  value?: T;
}
interface ReadableStreamReadValue<T> {
  done: false;
  value: T;
}
type ReadableStreamReadResult<T> = ReadableStreamReadValue<T> | ReadableStreamReadDone<T>;
interface QueuingStrategy<T = any> {
  highWaterMark?: number;
  size?: (chunk: T) => number;
}
interface StreamPipeOptions {
  preventAbort?: boolean;
  preventCancel?: boolean;
  preventClose?: boolean;
  signal?: AbortSignal;
}
declare class ReadableStream<R = any> implements AsyncIterable<R> {
  constructor(source?: any, strategy?: QueuingStrategy<R>);
  static from<T>(iterable: Iterable<T> | AsyncIterable<T>): ReadableStream<T>;
  readonly locked: boolean;
  cancel(reason?: any): Promise<void>;
  getReader(): ReadableStreamDefaultReader<R>;
  getReader(options: { mode: "byob" }): ReadableStreamBYOBReader;
  pipeThrough<T>(transform: { readable: ReadableStream<T>; writable: WritableStream<R> }, options?: StreamPipeOptions): ReadableStream<T>;
  pipeTo(destination: WritableStream<R>, options?: StreamPipeOptions): Promise<void>;
  tee(): [ReadableStream<R>, ReadableStream<R>];
  values(options?: { preventCancel?: boolean }): AsyncIterableIterator<R>;
  [Symbol.asyncIterator](options?: { preventCancel?: boolean }): AsyncIterableIterator<R>;
}
declare class ReadableStreamDefaultReader<R = any> {
  constructor(stream: ReadableStream<R>);
  readonly closed: Promise<void>;
  cancel(reason?: any): Promise<void>;
  read(): Promise<ReadableStreamReadResult<R>>;
  releaseLock(): void;
}
declare class ReadableStreamBYOBReader {
  constructor(stream: ReadableStream);
  readonly closed: Promise<void>;
  cancel(reason?: any): Promise<void>;
  read<T extends ArrayBufferView>(view: T, options?: { min?: number }): Promise<ReadableStreamReadResult<T>>;
  releaseLock(): void;
}
declare class ReadableStreamDefaultController<R = any> {
  private constructor();
  readonly desiredSize: number | null;
  close(): void;
  enqueue(chunk?: R): void;
  error(reason?: any): void;
}
declare class ReadableByteStreamController {
  private constructor();
  readonly byobRequest: ReadableStreamBYOBRequest | null;
  readonly desiredSize: number | null;
  close(): void;
  enqueue(chunk: ArrayBufferView): void;
  error(reason?: any): void;
}
declare class ReadableStreamBYOBRequest {
  private constructor();
  readonly view: ArrayBufferView | null;
  respond(bytesWritten: number): void;
  respondWithNewView(view: ArrayBufferView): void;
}
declare class WritableStream<W = any> {
  constructor(sink?: any, strategy?: QueuingStrategy<W>);
  readonly locked: boolean;
  abort(reason?: any): Promise<void>;
  close(): Promise<void>;
  getWriter(): WritableStreamDefaultWriter<W>;
}
declare class WritableStreamDefaultWriter<W = any> {
  constructor(stream: WritableStream<W>);
  readonly closed: Promise<void>;
  readonly desiredSize: number | null;
  readonly ready: Promise<void>;
  abort(reason?: any): Promise<void>;
  close(): Promise<void>;
  releaseLock(): void;
  write(chunk?: W): Promise<void>;
}
declare class WritableStreamDefaultController {
  private constructor();
  readonly abortReason: any;
  readonly signal: AbortSignal;
  error(reason?: any): void;
}
declare class TransformStream<I = any, O = any> {
  constructor(transformer?: any, writableStrategy?: QueuingStrategy<I>, readableStrategy?: QueuingStrategy<O>);
  readonly readable: ReadableStream<O>;
  readonly writable: WritableStream<I>;
}
declare class TransformStreamDefaultController<O = any> {
  private constructor();
  readonly desiredSize: number | null;
  enqueue(chunk?: O): void;
  error(reason?: any): void;
  terminate(): void;
}
declare class ByteLengthQueuingStrategy {
  constructor(init: { highWaterMark: number });
  readonly highWaterMark: number;
  readonly size: (chunk: ArrayBufferView) => number;
}
declare class CountQueuingStrategy {
  constructor(init: { highWaterMark: number });
  readonly highWaterMark: number;
  readonly size: (chunk: any) => number;
}
declare class TextEncoderStream {
  constructor();
  readonly encoding: string;
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<string>;
}
declare class TextDecoderStream {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean });
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  readonly readable: ReadableStream<string>;
  readonly writable: WritableStream<BufferSource>;
}

declare class Blob {
  constructor(parts?: Iterable<BufferSource | Blob | string>, options?: { type?: string; endings?: "transparent" | "native" });
  readonly size: number;
  readonly type: string;
  arrayBuffer(): Promise<ArrayBuffer>;
  bytes(): Promise<Uint8Array<ArrayBuffer>>;
  slice(start?: number, end?: number, type?: string): Blob;
  stream(): ReadableStream<Uint8Array>;
  text(): Promise<string>;
}
type HeadersInit = Headers | Iterable<string[]> | Record<string, string>;
declare class Headers implements Iterable<[string, string]> {
  constructor(init?: HeadersInit);
  append(name: string, value: string): void;
  delete(name: string): void;
  entries(): IteratorObject<[string, string]>;
  forEach(callback: (value: string, key: string, parent: Headers) => void, thisArg?: any): void;
  get(name: string): string | null;
  getSetCookie(): string[];
  has(name: string): boolean;
  keys(): IteratorObject<string>;
  set(name: string, value: string): void;
  values(): IteratorObject<string>;
  [Symbol.iterator](): IteratorObject<[string, string]>;
}
type BodyInit = string | BufferSource | Blob | URLSearchParams | ReadableStream | Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
interface RequestInit {
  method?: string;
  headers?: HeadersInit;
  body?: BodyInit | null;
  signal?: AbortSignal | null;
  redirect?: "follow" | "error" | "manual";
  [other: string]: any;
}
declare class Request {
  constructor(input: string | URL | Request, init?: RequestInit);
  readonly body: ReadableStream<Uint8Array> | null;
  readonly bodyUsed: boolean;
  readonly cache: string;
  readonly credentials: string;
  readonly destination: string;
  readonly duplex: string;
  readonly headers: Headers;
  readonly integrity: string;
  readonly keepalive: boolean;
  readonly method: string;
  readonly mode: string;
  readonly redirect: string;
  readonly referrer: string;
  readonly referrerPolicy: string;
  readonly signal: AbortSignal;
  readonly url: string;
  arrayBuffer(): Promise<ArrayBuffer>;
  blob(): Promise<Blob>;
  bytes(): Promise<Uint8Array<ArrayBuffer>>;
  clone(): Request;
  json(): Promise<any>;
  text(): Promise<string>;
}
declare class Response {
  constructor(body?: BodyInit | null, init?: { status?: number; statusText?: string; headers?: HeadersInit });
  static error(): Response;
  static json(data: any, init?: { status?: number; statusText?: string; headers?: HeadersInit }): Response;
  static redirect(url: string | URL, status?: number): Response;
  readonly body: ReadableStream<Uint8Array> | null;
  readonly bodyUsed: boolean;
  readonly headers: Headers;
  readonly ok: boolean;
  readonly redirected: boolean;
  readonly status: number;
  readonly statusText: string;
  readonly type: string;
  readonly url: string;
  arrayBuffer(): Promise<ArrayBuffer>;
  blob(): Promise<Blob>;
  bytes(): Promise<Uint8Array<ArrayBuffer>>;
  clone(): Response;
  json(): Promise<any>;
  text(): Promise<string>;
}
declare function fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;

declare class DOMException extends Error {
  constructor(message?: string, name?: string);
  static readonly ABORT_ERR: 20;
  static readonly DATA_CLONE_ERR: 25;
  static readonly DOMSTRING_SIZE_ERR: 2;
  static readonly HIERARCHY_REQUEST_ERR: 3;
  static readonly INDEX_SIZE_ERR: 1;
  static readonly INUSE_ATTRIBUTE_ERR: 10;
  static readonly INVALID_ACCESS_ERR: 15;
  static readonly INVALID_CHARACTER_ERR: 5;
  static readonly INVALID_MODIFICATION_ERR: 13;
  static readonly INVALID_NODE_TYPE_ERR: 24;
  static readonly INVALID_STATE_ERR: 11;
  static readonly NAMESPACE_ERR: 14;
  static readonly NETWORK_ERR: 19;
  static readonly NOT_FOUND_ERR: 8;
  static readonly NOT_SUPPORTED_ERR: 9;
  static readonly NO_DATA_ALLOWED_ERR: 6;
  static readonly NO_MODIFICATION_ALLOWED_ERR: 7;
  static readonly QUOTA_EXCEEDED_ERR: 22;
  static readonly SECURITY_ERR: 18;
  static readonly SYNTAX_ERR: 12;
  static readonly TIMEOUT_ERR: 23;
  static readonly TYPE_MISMATCH_ERR: 17;
  static readonly URL_MISMATCH_ERR: 21;
  static readonly VALIDATION_ERR: 16;
  static readonly WRONG_DOCUMENT_ERR: 4;
  readonly ABORT_ERR: 20;
  readonly DATA_CLONE_ERR: 25;
  readonly DOMSTRING_SIZE_ERR: 2;
  readonly HIERARCHY_REQUEST_ERR: 3;
  readonly INDEX_SIZE_ERR: 1;
  readonly INUSE_ATTRIBUTE_ERR: 10;
  readonly INVALID_ACCESS_ERR: 15;
  readonly INVALID_CHARACTER_ERR: 5;
  readonly INVALID_MODIFICATION_ERR: 13;
  readonly INVALID_NODE_TYPE_ERR: 24;
  readonly INVALID_STATE_ERR: 11;
  readonly NAMESPACE_ERR: 14;
  readonly NETWORK_ERR: 19;
  readonly NOT_FOUND_ERR: 8;
  readonly NOT_SUPPORTED_ERR: 9;
  readonly NO_DATA_ALLOWED_ERR: 6;
  readonly NO_MODIFICATION_ALLOWED_ERR: 7;
  readonly QUOTA_EXCEEDED_ERR: 22;
  readonly SECURITY_ERR: 18;
  readonly SYNTAX_ERR: 12;
  readonly TIMEOUT_ERR: 23;
  readonly TYPE_MISMATCH_ERR: 17;
  readonly URL_MISMATCH_ERR: 21;
  readonly VALIDATION_ERR: 16;
  readonly WRONG_DOCUMENT_ERR: 4;
  readonly code: number;
  readonly message: string;
}

declare class SubtleCrypto {
  private constructor();
  decrypt(...args: any[]): Promise<any>;
  deriveBits(...args: any[]): Promise<any>;
  deriveKey(...args: any[]): Promise<any>;
  digest(algorithm: string | { name: string }, data: BufferSource): Promise<ArrayBuffer>;
  encrypt(...args: any[]): Promise<any>;
  exportKey(...args: any[]): Promise<any>;
  generateKey(...args: any[]): Promise<any>;
  importKey(...args: any[]): Promise<any>;
  sign(...args: any[]): Promise<any>;
  unwrapKey(...args: any[]): Promise<any>;
  verify(...args: any[]): Promise<any>;
  wrapKey(...args: any[]): Promise<any>;
}
declare class Crypto {
  private constructor();
  readonly subtle: SubtleCrypto;
  getRandomValues<T extends ArrayBufferView>(array: T): T;
  randomUUID(): `${string}-${string}-${string}-${string}-${string}`;
}
declare const crypto: Crypto;

declare const WebAssembly: any;
