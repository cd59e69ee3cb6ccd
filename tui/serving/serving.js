"use strict";
// Keys go to the terminal, without a click into it first.
(() => {
  const focus = () => {
    // Before its socket is open the terminal can't tell that it has the focus.
    const runs = document.body.matches(".-first-byte:not(.-closed)");
    if (runs) document.querySelector(".xterm-helper-textarea")?.focus();
  };
  addEventListener("load", () => {
    new MutationObserver(focus).observe(document.body, { attributeFilter: ["class"] });
  });
  addEventListener("focus", focus);
})();
