// @ts-check
// Handlers of fields and forms.

/** What the person typed or chose. @param {(value: string) => void} take */
export const typed = (take) => (/** @type {Event} */ event) => take(/** @type {HTMLInputElement} */ (event.currentTarget).value);

/** @param {() => void} act */
export const submitted = (act) => (/** @type {Event} */ event) => {
  event.preventDefault();
  act();
};
