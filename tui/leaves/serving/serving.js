"use strict";
// The token is kept by this tab, for this port alone, and leaves the address.
(() => {
  const given = new URLSearchParams(location.search).get("token");
  if (given !== null) {
    sessionStorage.setItem("token", given);
    location.replace("/");
    return;
  }
  const token = sessionStorage.getItem("token");
  addEventListener("DOMContentLoaded", () => {
    const terminal = document.getElementById("terminal");
    terminal.dataset.sessionWebsocketUrl += `/${token ?? "none"}`;
    document.body.classList.toggle("-unknown", token === null);
  });
})();
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
