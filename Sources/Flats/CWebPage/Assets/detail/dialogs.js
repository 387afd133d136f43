import { byID, make, visible } from "../list/text.js";

/**
 * Shows a dialog. When it is closed, the focus returns to where it was.
 * @param {object} attributes the attributes of the dialog.
 * @param {...(Node|string)} children its content. A form with the method `dialog` closes it.
 * @returns {Promise<string>} the value of the button that closed it; empty for the key Escape.
 */
export function showDialog(attributes, ...children) {
  return new Promise((resolve) => {
    const dialog = make("dialog", { ...attributes, onclose: () => { dialog.remove(); resolve(dialog.returnValue); } }, ...children);
    document.body.append(dialog);
    dialog.showModal();
  });
}

/**
 * Asks a question. Other tabs go on meanwhile, unlike with `confirm()`.
 * @returns {Promise<boolean>} true if the answer is `yes`.
 */
export async function ask(question, explanation, yes, no) {
  const answer = await showDialog(
    { role: "alertdialog", "aria-labelledby": "question", "aria-describedby": "explanation" },
    make("h2", { id: "question" }, question), make("p", { id: "explanation" }, explanation),
    make("form", { method: "dialog", class: "buttons" },
      make("button", { value: "yes" }, yes), make("button", { value: "no", class: "main", autofocus: true }, no)));
  return answer === "yes";
}

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
