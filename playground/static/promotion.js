// The choice of a promotion: the pieces stand on the board, from the promotion square down.

import { picture, pieceName } from "./board.js";
import { element, make } from "./state.js";

/** Returns the letter of the chosen piece, or nothing. */
export async function choosePromotion(square, side, button) {
  const dialog = element("promotion");
  const { left, top, bottom, width } = button.getBoundingClientRect();
  const isAtTop = button.closest("tr") === button.closest("tbody").firstElementChild;
  const letters = isAtTop ? ["q", "n", "r", "b"] : ["b", "r", "n", "q"];
  const choices = letters.map((letter) =>
    make("button", { value: letter, "aria-label": pieceName(side + letter) }, picture(side + letter)));
  dialog.firstElementChild.replaceChildren(...choices);
  dialog.style.width = `${width}px`;
  dialog.style.left = `${left + scrollX}px`;
  dialog.style.top = `${(isAtTop ? top : bottom - 4 * width) + scrollY}px`;
  dialog.returnValue = "";
  dialog.showModal();
  dialog.querySelector("[value=q]").focus({ preventScroll: true });
  // A click beside the pieces takes the move back.
  dialog.onclick = (event) => { if (event.target === dialog) dialog.close(); };
  await new Promise((resolve) => { dialog.addEventListener("close", resolve, { once: true }); });
  return dialog.returnValue;
}
