// What the page uses of htm/preact/standalone.module.js, which is served as preact.js and has no types of its own.
export type Child = unknown;
export interface Element { type: unknown; props: unknown; key: unknown }
export function html(parts: TemplateStringsArray, ...values: unknown[]): Element;
export function render(tree: Element, parent: globalThis.Element): void;
export function useState<T>(first: T | (() => T)): [T, (next: T | ((before: T) => T)) => void];
export function useEffect(effect: () => void | (() => void), inputs?: readonly unknown[]): void;
export function useLayoutEffect(effect: () => void | (() => void), inputs?: readonly unknown[]): void;
export function useMemo<T>(make: () => T, inputs: readonly unknown[]): T;
export function useRef<T>(first: T): { current: T };
export function useErrorBoundary(): [unknown, () => void];
