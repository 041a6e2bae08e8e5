// The panels that the buttons above the board open, one at a time.

import { element } from "./state.js";

const buttons = () => document.querySelectorAll("[data-panel]");

/** Opens one panel and closes the others; null closes all. */
export function openPanel(id) {
  for (const button of buttons()) {
    const isOpen = button.dataset.panel === id;
    element(button.dataset.panel).hidden = !isOpen;
    button.setAttribute("aria-expanded", String(isOpen));
  }
}

export function initPanels() {
  const toggle = ({ target }) => openPanel(target.getAttribute("aria-expanded") === "true" ? null : target.dataset.panel);
  for (const button of buttons()) button.addEventListener("click", toggle);
}
