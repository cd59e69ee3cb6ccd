"use strict";
// On every page: light or dark, and the keys that lead through it.
(() => {
  const KEY = "memtui-theme";
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  // Where files may keep nothing, the choice holds for this page.
  const kept = () => { try { return localStorage.getItem(KEY); } catch { return null; } };
  const keep = (theme) => { try { localStorage.setItem(KEY, theme); } catch { /* This page only. */ } };
  const isDark = () => (root.dataset.theme ?? (system.matches ? "dark" : "light")) === "dark";

  if (kept() === "light" || kept() === "dark") root.dataset.theme = kept();

  const show = () => {
    const button = document.getElementById("theme");
    if (!button) return;
    button.hidden = false;
    button.textContent = isDark() ? "Light" : "Dark";
  };
  const turn = () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    keep(root.dataset.theme);
    show();
  };

  const step = (by) => {
    const stops = [...document.querySelectorAll(".memory, .row")];
    if (!stops.length) return;
    const now = stops.findIndex((one) => one.contains(document.activeElement));
    const top = stops.findIndex((one) => one.getBoundingClientRect().top > 4);
    const from = now >= 0 ? now + by : by > 0 ? top : top - 1;
    const next = stops[Math.max(0, Math.min(stops.length - 1, from))];
    next.focus({ preventScroll: true });
    next.scrollIntoView({ block: next.matches(".row") ? "nearest" : "start" });
  };

  addEventListener("DOMContentLoaded", () => {
    document.getElementById("theme")?.addEventListener("click", turn);
    show();
  });
  system.addEventListener("change", show);
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest?.("input, select, textarea")) return;
    const search = document.getElementById("query");
    const does = {
      "/": () => search ? search.focus() : (location.href = document.body.dataset.root + "index.html#focus=1"),
      j: () => step(1),
      k: () => step(-1),
      t: turn,
    }[event.key];
    if (!does) return;
    event.preventDefault();
    does();
  });
})();
