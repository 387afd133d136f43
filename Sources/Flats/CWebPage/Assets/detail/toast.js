import { byID, make, visible } from "../list/text.js";

/**
 * Shows a message with an optional button. It stays while the pointer or the focus is on it.
 * @param {string} text the message.
 * @param {string} [action] the title of the button.
 * @param {() => void} [run] is called by the button.
 */
export function toast(text, action, run) {
  const element = make("div", { class: "toast" }, make("span", {}, visible(text)));
  const close = () => element.remove();
  if (action) element.append(make("button", { type: "button", onclick: () => { close(); run(); } }, action));
  element.append(make("button", { type: "button", "aria-label": "Close", onclick: close }, "×"));
  let timer = 0;
  const stop = () => clearTimeout(timer);
  const start = () => { stop(); timer = setTimeout(close, action ? 12_000 : 6_000); };
  for (const event of ["focusin", "pointerenter"]) element.addEventListener(event, stop);
  for (const event of ["focusout", "pointerleave"]) element.addEventListener(event, start);
  byID("toasts").replaceChildren(element);
  start();
}
