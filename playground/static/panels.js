// The panels beside the board, one at a time, opened by tabs.

import { element, state } from "tropism/state";

/** The panels in the order of their tabs. */
export const PANELS = ["guides-panel", "terms-panel", "writing", "coach-panel", "lessons-panel", "game-panel"];

const tabOf = (id) => element(`tab-${id}`);
let opened = () => {};

/** Opens a panel and closes the others. */
export function openPanel(id) {
  state.panel = id;
  for (const panel of PANELS) {
    const isOpen = panel === id;
    element(panel).hidden = !isOpen;
    tabOf(panel).setAttribute("aria-selected", String(isOpen));
    tabOf(panel).tabIndex = isOpen ? 0 : -1;
  }
  opened();
}

/** `onOpen()` is called when another panel is open. */
export function initPanels(onOpen) {
  opened = onOpen;
  for (const [index, panel] of PANELS.entries()) {
    tabOf(panel).addEventListener("click", () => {
      openPanel(panel);
      // On a phone the panel stands under the board then.
      element("tabs").scrollIntoView();
    });
    tabOf(panel).addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      const next = PANELS[(index + step + PANELS.length) % PANELS.length];
      openPanel(next);
      tabOf(next).focus();
    });
  }
}
