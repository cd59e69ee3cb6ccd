"use strict";
// The search of the index. Texts become text nodes only, never markup.
(() => {
  const { rows, types: typed, projects, pages } =
    JSON.parse(document.getElementById("memories").textContent);
  const [types, colours] = [0, 1].map((at) => typed.map((type) => type[at]));
  const AT_ONCE = 60, AROUND = 70, DAY = 1440;
  const [MINUTE, TYPE, PROJECT, PAGE, ANCHOR, TITLE, TEXT] = [0, 1, 2, 3, 4, 5, 6];
  const at = (id) => document.getElementById(id);
  const [query, project, kinds, list, more, found, clear] =
    ["query", "project", "types", "list", "more", "found", "clear"].map(at);

  // Case and accents don't count.
  const fold = (text) => /^[\x00-\x7f]*$/.test(text) ? text.toLowerCase()
    : text.normalize("NFKD").replace(/\p{Mn}/gu, "").toLowerCase();
  const folded = new Array(rows.length);
  const words = (at) => folded[at] ??= fold(rows[at][TITLE] + "\n" + rows[at][TEXT]);

  const make = (name, className, text) => {
    const made = document.createElement(name);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  };
  const dayOf = (minute) => minute ? new Date(minute * 60000).toISOString().slice(0, 10) : "";
  const dayNumber = (day) => Math.floor(Date.parse(day + "T00:00:00Z") / 86400000);
  const longDay = (minute) => minute ? new Date(minute * 60000).toLocaleDateString("en-GB",
    { weekday: "long", day: "numeric", month: "long", year: "numeric", timeZone: "UTC" })
    : "At a time that isn't known";

  // What is shown is what the address says after its #, so that it can be kept and gone back to.
  const read = () => new URLSearchParams(location.hash.slice(1));
  const termsOf = (text) => [...text.matchAll(/(-?)(?:"([^"]*)"?|(\S+))/g)]
    .map(([, not, phrase, word]) => ({ not: not === "-", text: fold(phrase ?? word) }))
    .filter((term) => term.text);

  let matches = [], shown = 0, lastDay = null, state = read(), terms = [];

  const filtered = () => {
    const chosen = types.indexOf(state.get("type"));
    const within = projects.indexOf(state.get("project"));
    const from = state.get("from") ? dayNumber(state.get("from")) * DAY : -Infinity;
    const until = state.get("to") ? (dayNumber(state.get("to")) + 1) * DAY : Infinity;
    const counts = new Array(types.length).fill(0);
    const needed = wanted(), banned = terms.filter((term) => term.not).map((term) => term.text);
    const hits = [];
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at];
      if (state.get("project") && row[PROJECT] !== within) continue;
      if (row[MINUTE] < from || row[MINUTE] >= until) continue;
      if (terms.length) {
        const text = words(at);
        if (!needed.every((term) => text.includes(term))) continue;
        if (banned.some((term) => text.includes(term))) continue;
      }
      counts[row[TYPE]]++;
      if (state.get("type") && row[TYPE] !== chosen) continue;
      hits.push(at);
    }
    return { hits, counts };
  };

  // Where each character of a folded text stands in the text itself.
  const located = (text) => {
    const low = fold(text);
    if (low.length === text.length && /^[\x00-\x7f]*$/.test(text)) return { low, place: (at) => at };
    let joined = "";
    const places = [];
    let at = 0;
    for (const char of text) {
      const part = fold(char);
      for (let unit = 0; unit < part.length; unit++) places.push(at);
      joined += part;
      at += char.length;
    }
    places.push(text.length);
    return { low: joined, place: (at) => places[at] };
  };
  const wanted = () => terms.filter((term) => !term.not).map((term) => term.text);

  const marked = (into, text) => {
    const { low, place } = located(text);
    let last = 0;
    while (wanted().length && last < low.length) {
      let start = -1, length = 0;
      for (const term of wanted()) {
        const found = low.indexOf(term, last);
        if (found >= 0 && (start < 0 || found < start)) [start, length] = [found, term.length];
      }
      if (start < 0) break;
      into.append(text.slice(place(last), place(start)),
        make("mark", "", text.slice(place(start), place(start + length))));
      last = start + length;
    }
    into.append(text.slice(place(last)));
  };

  const snippet = (text) => {
    const { low, place } = located(text);
    const found = wanted().map((term) => low.indexOf(term)).filter((at) => at >= 0);
    let start = found.length ? Math.max(0, place(Math.min(...found)) - AROUND) : 0;
    // From the beginning of a word, where one is near.
    const space = start ? text.slice(start, start + 20).indexOf(" ") : -1;
    if (space >= 0) start += space + 1;
    const cut = text.slice(start, start + 4 * AROUND);
    return (start ? "… " : "") + cut + (start + cut.length < text.length ? " …" : "");
  };

  const rowOf = (number) => {
    const [minute, type, ofProject, page, name, title, text] = rows[number];
    const [anchor, ...flags] = name.split(" ");
    const [path, session] = pages[page];
    const row = make("a", ["row", ...flags].join(" "));
    row.href = `${path}#${anchor}`;
    const time = make("time", "", minute ? new Date(minute * 60000).toISOString().slice(11, 16) : "");
    const what = make("span", "what"), head = make("span", "title");
    marked(head, title);
    what.append(head, ...flags.map((flag) => make("span", "flag", flag)));
    if (text) {
      const below = make("div", "snippet");
      marked(below, snippet(text));
      what.append(below);
    }
    const where = make("span", "where", projects.length > 1 ? projects[ofProject] : session);
    where.title = session;
    row.append(time, make("span", `badge ${colours[type]}`, types[type]), what, where);
    return row;
  };

  const showMore = () => {
    const part = document.createDocumentFragment();
    for (const number of matches.slice(shown, shown + AT_ONCE)) {
      const day = dayOf(rows[number][MINUTE]);
      if (day !== lastDay) part.append(make("h2", "day", longDay(rows[number][MINUTE])));
      lastDay = day;
      part.append(rowOf(number));
    }
    shown = Math.min(shown + AT_ONCE, matches.length);
    list.append(part);
    more.hidden = shown >= matches.length;
  };

  const bars = [...document.querySelectorAll(".density a")].map((bar) => {
    const range = new URLSearchParams(bar.getAttribute("href").slice(1));
    const all = bar.querySelector(".all"), hit = bar.querySelector(".hit");
    const count = Number((bar.querySelector("title").textContent.match(/: ([\d,]+)/) ?? [])[1]?.replaceAll(",", "") ?? 0);
    return { from: dayNumber(range.get("from")), to: dayNumber(range.get("to")), hit, count,
      height: Number(all.getAttribute("height")), bottom: Number(all.getAttribute("y")) + Number(all.getAttribute("height")) };
  });

  const paintBars = (isNarrowed) => {
    if (!bars.length) return;
    const first = bars[0].from, step = bars[0].to - bars[0].from + 1;
    const counts = new Array(bars.length).fill(0);
    if (isNarrowed) for (const number of matches) {
      const bar = Math.floor((Math.floor(rows[number][MINUTE] / DAY) - first) / step);
      if (rows[number][MINUTE] && bar >= 0 && bar < counts.length) counts[bar]++;
    }
    bars.forEach((bar, at) => {
      const height = counts[at] ? Math.max(2, bar.height * counts[at] / Math.max(1, bar.count)) : 0;
      bar.hit.setAttribute("height", height);
      bar.hit.setAttribute("y", bar.bottom - height);
    });
  };

  const paintTypes = (counts) => {
    const chosen = state.get("type");
    const order = types.map((_, at) => at).sort((a, b) => counts[b] - counts[a] || a - b);
    kinds.replaceChildren(...order.filter((at) => counts[at] || types[at] === chosen).map((at) => {
      const button = make("button", colours[at], types[at]);
      button.type = "button";
      button.setAttribute("aria-pressed", types[at] === chosen);
      button.append(make("small", "", counts[at].toLocaleString("en")));
      button.addEventListener("click", () => change({ type: types[at] === chosen ? "" : types[at] }));
      return button;
    }));
  };

  const paint = () => {
    terms = termsOf(state.get("q") ?? "");
    const { hits, counts } = filtered();
    [matches, shown, lastDay] = [hits, 0, null];
    list.replaceChildren();
    paintTypes(counts);
    const names = ["q", "type", "project", "from", "to"];
    const isNarrowed = names.some((name) => state.get(name));
    paintBars(isNarrowed);
    clear.hidden = !isNarrowed;
    const days = state.get("from") ? (state.get("from") === state.get("to") ? ` on ${state.get("from")}`
      : ` from ${state.get("from")} to ${state.get("to")}`) : "";
    const here = document.querySelector(".stretches") ? " in this stretch of time" : "";
    const many = `${hits.length.toLocaleString("en")} ${hits.length === 1 ? "memory" : "memories"}`;
    found.textContent = !isNarrowed ? "" : hits.length ? many + days + here
      : `Nothing matches${days}${here}. Take a word or a filter away.`;
    showMore();
  };

  const change = (values, isTyped = false) => {
    for (const [name, value] of Object.entries(values)) value ? state.set(name, value) : state.delete(name);
    const address = `#${state}`;
    try {
      history[isTyped ? "replaceState" : "pushState"](null, "", address);
    } catch { /* Some browsers refuse files a history. */ }
    for (const link of document.querySelectorAll(".stretches a")) link.hash = address;
    paint();
  };

  const start = () => {
    state = read();
    query.value = state.get("q") ?? "";
    project.value = state.get("project") ?? "";
    for (const link of document.querySelectorAll(".stretches a")) link.hash = location.hash;
    paint();
    if (state.get("focus")) {
      state.delete("focus");
      query.focus();
    }
  };

  let waiting = 0;
  query.addEventListener("input", () => {
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(() => change({ q: query.value.trim() }, true));
  });
  project.addEventListener("change", () => change({ project: project.value }));
  clear.addEventListener("click", () => {
    query.value = project.value = "";
    change({ q: "", type: "", project: "", from: "", to: "" });
    query.focus();
  });
  more.querySelector("button").addEventListener("click", showMore);
  if ("IntersectionObserver" in window) {
    new IntersectionObserver((seen) => seen.some((one) => one.isIntersecting) && showMore(),
      { rootMargin: "600px" }).observe(more);
  }
  addEventListener("hashchange", start);
  addEventListener("keydown", (event) => {
    const here = document.activeElement;
    if (event.key === "Escape" && here === query) {
      if (query.value) { query.value = ""; change({ q: "" }); } else query.blur();
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const stops = [query, ...list.querySelectorAll(".row")];
      const from = stops.indexOf(here);
      if (from < 0) return;
      const next = stops[Math.max(0, Math.min(stops.length - 1, from + (event.key === "ArrowDown" ? 1 : -1)))];
      event.preventDefault();
      next.focus();
      next.scrollIntoView({ block: "nearest" });
    } else if (event.key === "Enter" && here === query) {
      list.querySelector(".row")?.click();
    }
  });

  // Folded while nobody does anything, so that the first letter that is typed doesn't wait for it.
  let next = 0;
  const foldAhead = (idle) => {
    while (next < rows.length && idle.timeRemaining() > 1) words(next++);
    if (next < rows.length) requestIdleCallback(foldAhead);
  };
  window.requestIdleCallback?.(foldAhead);

  project.append(new Option("All projects", ""),
    ...[...projects].filter(Boolean).sort().map((name) => new Option(name, name)));
  project.hidden = projects.filter(Boolean).length < 2;
  at("search").hidden = false;
  start();
})();
