'use strict';
// DOMException, Event, EventTarget, and on them AbortController and AbortSignal.

const {
  Error, MathFloor, Number, NumberIsFinite, ObjectDefineProperty, Promise, ReflectApply, TypeError,
} = primordials;
const {
  define_constants, define_global, fields, finish_interface, is_object, new_list, require_arguments, to_dictionary,
  to_sequence,
} = host.internal.webidl;

// ---- DOMException

// The names that once had numbers; the place in the list is the number.
const legacy_names = () => ['', 'IndexSizeError', '', 'HierarchyRequestError', 'WrongDocumentError', 'InvalidCharacterError', '',
  'NoModificationAllowedError', 'NotFoundError', 'NotSupportedError', 'InUseAttributeError', 'InvalidStateError',
  'SyntaxError', 'InvalidModificationError', 'NamespaceError', 'InvalidAccessError', '', 'TypeMismatchError', 'SecurityError',
  'NetworkError', 'AbortError', 'URLMismatchError', 'QuotaExceededError', 'TimeoutError', 'InvalidNodeTypeError',
  'DataCloneError'];

class DOMException extends Error {
  #message;
  #name;
  constructor(message = '', options = 'Error') {
    super();
    this.#message = `${message}`;
    if (is_object(options)) {
      const { name = 'Error' } = options;
      if ('cause' in options) {
        ObjectDefineProperty(this, 'cause', { __proto__: null, value: options.cause, writable: true, configurable: true });
      }
      this.#name = `${name}`;
    } else {
      this.#name = `${options}`;
    }
  }
  get name() { return this.#name; }
  get message() { return this.#message; }
  get code() {
    const names = legacy_names();
    for (let i = 1; i < names.length; ++i) if (names[i] !== '' && names[i] === this.#name) return i;
    return 0;
  }
}
finish_interface(DOMException, 'DOMException');
define_constants(DOMException, {
  INDEX_SIZE_ERR: 1, DOMSTRING_SIZE_ERR: 2, HIERARCHY_REQUEST_ERR: 3, WRONG_DOCUMENT_ERR: 4, INVALID_CHARACTER_ERR: 5,
  NO_DATA_ALLOWED_ERR: 6, NO_MODIFICATION_ALLOWED_ERR: 7, NOT_FOUND_ERR: 8, NOT_SUPPORTED_ERR: 9, INUSE_ATTRIBUTE_ERR: 10,
  INVALID_STATE_ERR: 11, SYNTAX_ERR: 12, INVALID_MODIFICATION_ERR: 13, NAMESPACE_ERR: 14, INVALID_ACCESS_ERR: 15,
  VALIDATION_ERR: 16, TYPE_MISMATCH_ERR: 17, SECURITY_ERR: 18, NETWORK_ERR: 19, ABORT_ERR: 20, URL_MISMATCH_ERR: 21,
  QUOTA_EXCEEDED_ERR: 22, TIMEOUT_ERR: 23, INVALID_NODE_TYPE_ERR: 24, DATA_CLONE_ERR: 25,
});
define_global('DOMException', DOMException);
host.internal.DOMException = DOMException;

// ---- Event

const NONE = 0;
const AT_TARGET = 2;

let is_event;
let make_trusted_event;
let is_dispatching;
let dispatch;
let describe_event;

class Event {
  #type;
  #bubbles;
  #cancelable;
  #composed;
  #time_stamp = host.ms_since_start();
  #target = null;
  #current_target = null;
  #phase = NONE;
  #is_trusted = false;
  #is_dispatching = false;
  #is_canceled = false;
  #is_passive = false;
  #propagation_stopped = false;
  #immediately_stopped = false;

  constructor(type, options) {
    require_arguments(arguments.length, 1, 'Event');
    const { bubbles, cancelable, composed } = to_dictionary(options, 'Event: options');
    this.#type = `${type}`;
    this.#bubbles = !!bubbles;
    this.#cancelable = !!cancelable;
    this.#composed = !!composed;
  }

  get type() { return this.#type; }
  get target() { return this.#target; }
  get srcElement() { return this.#target; }
  get currentTarget() { return this.#current_target; }
  get eventPhase() { return this.#phase; }
  get bubbles() { return this.#bubbles; }
  get cancelable() { return this.#cancelable; }
  get composed() { return this.#composed; }
  get defaultPrevented() { return this.#is_canceled; }
  get returnValue() { return !this.#is_canceled; }
  set returnValue(value) { if (!value) this.preventDefault(); }
  get cancelBubble() { return this.#propagation_stopped; }
  set cancelBubble(value) { if (value) this.#propagation_stopped = true; }
  get timeStamp() { return this.#time_stamp; }
  get isTrusted() { return this.#is_trusted; }
  composedPath() { return this.#current_target === null ? [] : [this.#current_target]; }
  stopPropagation() { this.#propagation_stopped = true; }
  stopImmediatePropagation() { this.#propagation_stopped = this.#immediately_stopped = true; }
  preventDefault() { if (this.#cancelable && !this.#is_passive) this.#is_canceled = true; }
  initEvent(type, bubbles = false, cancelable = false) {
    require_arguments(arguments.length, 1, 'Event.initEvent');
    if (this.#is_dispatching) return;
    this.#type = `${type}`;
    this.#bubbles = !!bubbles;
    this.#cancelable = !!cancelable;
    this.#is_canceled = this.#propagation_stopped = this.#immediately_stopped = false;
  }

  static {
    is_event = (value) => is_object(value) && #type in value;
    make_trusted_event = (type) => {
      const event = new Event(type);
      event.#is_trusted = true;
      return event;
    };
    is_dispatching = (event) => event.#is_dispatching;
    // Calls `invoke(listener)` for each listener until one stops the event. False when one canceled it.
    dispatch = (event, target, listeners, invoke) => {
      event.#is_dispatching = true;
      event.#target = event.#current_target = target;
      event.#phase = AT_TARGET;
      for (let i = 0; i < listeners.length && !event.#immediately_stopped; ++i) {
        event.#is_passive = listeners[i].passive;
        invoke(listeners[i]);
      }
      event.#is_passive = event.#is_dispatching = event.#propagation_stopped = event.#immediately_stopped = false;
      event.#current_target = null;
      event.#phase = NONE;
      return !event.#is_canceled;
    };
    describe_event = (value) => is_event(value) ? fields('type', value.#type, 'defaultPrevented', value.#is_canceled) : undefined;
  }
}
finish_interface(Event, 'Event', { describe: describe_event });
define_constants(Event, { NONE, CAPTURING_PHASE: 1, AT_TARGET, BUBBLING_PHASE: 3 });
define_global('Event', Event);

// ---- EventTarget

// An exception in a listener has no caller that could catch it. It becomes an unhandled rejection.
const report_exception = (error) => { new Promise((_, reject) => { reject(error); }); };

function call_listener(listener, event, target) {
  try {
    if (typeof listener.callback === 'function') ReflectApply(listener.callback, target, [event]);
    else listener.callback.handleEvent(event);
  } catch (error) {
    report_exception(error);
  }
}

class EventTarget {
  #listeners = new_list();

  addEventListener(type, callback, options) {
    require_arguments(arguments.length, 2, 'EventTarget.addEventListener');
    const { capture, once, passive, signal } = is_object(options) ? options : { __proto__: null, capture: options };
    const listener = {
      __proto__: null, type: `${type}`, callback, capture: !!capture, once: !!once, passive: !!passive, removed: false,
    };
    if (callback === null || callback === undefined) return;
    if (!is_object(callback)) throw new TypeError('EventTarget.addEventListener: the listener must be an object');
    if (signal !== undefined) {
      if (!is_signal(signal)) throw new TypeError('EventTarget.addEventListener: signal must be an AbortSignal');
      if (is_aborted(signal)) return;
      add_abort_algorithm(signal, () => this.#remove(listener));
    }
    if (this.#find(listener) === -1) this.#listeners[this.#listeners.length] = listener;
  }

  removeEventListener(type, callback, options) {
    require_arguments(arguments.length, 2, 'EventTarget.removeEventListener');
    const capture = is_object(options) ? options.capture : options;
    const index = this.#find({ __proto__: null, type: `${type}`, callback, capture: !!capture });
    if (index !== -1) this.#remove(this.#listeners[index]);
  }

  dispatchEvent(event) {
    require_arguments(arguments.length, 1, 'EventTarget.dispatchEvent');
    if (!is_event(event)) throw new TypeError('EventTarget.dispatchEvent: the argument must be an Event');
    if (is_dispatching(event)) throw new DOMException('The event is already being dispatched', 'InvalidStateError');
    const type = event.type;
    const chosen = new_list();
    for (let i = 0; i < this.#listeners.length; ++i) {
      if (this.#listeners[i].type === type) chosen[chosen.length] = this.#listeners[i];
    }
    return dispatch(event, this, chosen, (listener) => {
      if (listener.removed) return;
      if (listener.once) this.#remove(listener);
      call_listener(listener, event, this);
    });
  }

  #find(wanted) {
    for (let i = 0; i < this.#listeners.length; ++i) {
      const listener = this.#listeners[i];
      if (listener.type === wanted.type && listener.callback === wanted.callback && listener.capture === wanted.capture) return i;
    }
    return -1;
  }

  #remove(listener) {
    for (let i = 0; i < this.#listeners.length; ++i) {
      if (this.#listeners[i] !== listener) continue;
      listener.removed = true;
      for (let j = i + 1; j < this.#listeners.length; ++j) this.#listeners[j - 1] = this.#listeners[j];
      --this.#listeners.length;
      return;
    }
  }
}
finish_interface(EventTarget, 'EventTarget');
define_global('EventTarget', EventTarget);
const { addEventListener, dispatchEvent } = EventTarget.prototype;

// ---- AbortSignal and AbortController

let may_construct_signal = false;
let make_signal;
let abort_signal;
let is_signal;
let is_aborted;
let abort_reason;
let add_abort_algorithm;
let dependent_signal;
let describe_signal;

class AbortSignal extends EventTarget {
  #aborted = false;
  #reason = undefined;
  #algorithms = new_list();
  #dependents = new_list();
  #sources = undefined;  // for a signal that any() made
  #on_abort = null;
  #on_abort_is_listening = false;

  constructor() {
    if (!may_construct_signal) throw new TypeError('Illegal constructor');
    super();
  }

  static abort(reason) {
    const signal = make_signal();
    signal.#settle(reason);
    return signal;
  }

  static timeout(milliseconds) {
    require_arguments(arguments.length, 1, 'AbortSignal.timeout');
    const delay = Number(milliseconds);
    if (!NumberIsFinite(delay) || delay < 0 || delay > 2 ** 53 - 1) {
      throw new TypeError('AbortSignal.timeout: milliseconds must be a number from 0 to 2**53 - 1');
    }
    const signal = make_signal();
    host.internal.setTimeout(() => {
      abort_signal(signal, new DOMException('The operation timed out', 'TimeoutError'));
    }, MathFloor(delay));
    return signal;
  }

  static any(signals) {
    require_arguments(arguments.length, 1, 'AbortSignal.any');
    const sources = to_sequence(signals, 'AbortSignal.any: signals');
    for (let i = 0; i < sources.length; ++i) {
      if (!is_signal(sources[i])) throw new TypeError('AbortSignal.any: each item must be an AbortSignal');
    }
    return dependent_signal(sources);
  }

  get aborted() { return this.#aborted; }
  get reason() { return this.#reason; }
  throwIfAborted() { if (this.#aborted) throw this.#reason; }

  get onabort() { return this.#on_abort; }
  set onabort(handler) {
    this.#on_abort = is_object(handler) ? handler : null;
    if (this.#on_abort === null || this.#on_abort_is_listening) return;
    this.#on_abort_is_listening = true;
    ReflectApply(addEventListener, this, ['abort', (event) => {
      if (typeof this.#on_abort === 'function') ReflectApply(this.#on_abort, this, [event]);
    }]);
  }

  #settle(reason) {
    this.#aborted = true;
    this.#reason = reason === undefined ? new DOMException('This operation was aborted', 'AbortError') : reason;
  }

  #run_abort_steps() {
    const algorithms = this.#algorithms;
    this.#algorithms = new_list();
    for (let i = 0; i < algorithms.length; ++i) algorithms[i]();
    ReflectApply(dispatchEvent, this, [make_trusted_event('abort')]);
  }

  static {
    make_signal = () => {
      may_construct_signal = true;
      try {
        return new AbortSignal();
      } finally {
        may_construct_signal = false;
      }
    };
    is_signal = (value) => is_object(value) && #aborted in value;
    is_aborted = (signal) => signal.#aborted;
    abort_reason = (signal) => signal.#reason;
    add_abort_algorithm = (signal, algorithm) => {
      if (!signal.#aborted) signal.#algorithms[signal.#algorithms.length] = algorithm;
    };
    abort_signal = (signal, reason) => {
      if (signal.#aborted) return;
      signal.#settle(reason);
      // Dependents know the reason before any listener of any signal runs.
      const newly_aborted = new_list();
      for (let i = 0; i < signal.#dependents.length; ++i) {
        const dependent = signal.#dependents[i];
        if (dependent.#aborted) continue;
        dependent.#settle(signal.#reason);
        newly_aborted[newly_aborted.length] = dependent;
      }
      signal.#run_abort_steps();
      for (let i = 0; i < newly_aborted.length; ++i) newly_aborted[i].#run_abort_steps();
    };
    // A new signal that aborts with the first of `sources`.
    dependent_signal = (sources) => {
      const result = make_signal();
      for (let i = 0; i < sources.length; ++i) {
        if (!sources[i].#aborted) continue;
        result.#settle(sources[i].#reason);
        return result;
      }
      result.#sources = new_list();
      const follow = (source) => {
        for (let i = 0; i < result.#sources.length; ++i) if (result.#sources[i] === source) return;
        result.#sources[result.#sources.length] = source;
        source.#dependents[source.#dependents.length] = result;
      };
      for (let i = 0; i < sources.length; ++i) {
        // A dependent signal is followed through its own sources, so that chains stay one step long.
        const inner = sources[i].#sources;
        if (inner === undefined) follow(sources[i]);
        else for (let j = 0; j < inner.length; ++j) follow(inner[j]);
      }
      return result;
    };
    describe_signal = (value) => is_signal(value) ? fields('aborted', value.#aborted) : undefined;
  }
}
finish_interface(AbortSignal, 'AbortSignal', { static_members: ['abort', 'timeout', 'any'], describe: describe_signal });
define_global('AbortSignal', AbortSignal);

let describe_controller;

class AbortController {
  #signal = make_signal();
  get signal() { return this.#signal; }
  abort(reason) { abort_signal(this.#signal, reason); }
  static {
    describe_controller = (value) => #signal in value ? fields('signal', value.#signal) : undefined;
  }
}
finish_interface(AbortController, 'AbortController', { describe: describe_controller });
define_global('AbortController', AbortController);

host.internal.abort = { __proto__: null, abort_reason, add_abort_algorithm, dependent_signal, is_aborted, is_signal };
