// The texts of the page: a table with a row per text and a column per language.

export class Words {
  constructor(table, language) {
    this.table = table;
    this.language = language;
  }

  // Return the languages that have every text.
  static choose(table, wanted, otherwise) {
    const known = Object.keys(Object.values(table)[0]);
    return wanted.map((tag) => tag.slice(0, 2)).find((tag) => known.includes(tag)) ?? otherwise;
  }

  // A value is a text or has one for each language.
  say(key, values = {}) {
    const text = this.table[key]?.[this.language] ?? key;
    return text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name]?.[this.language] ?? values[name] ?? whole));
  }

  // Return the text of a key, or another text if the table lacks the key.
  known(key, otherwise, values = {}) {
    return this.table[key] ? this.say(key, values) : otherwise;
  }

  // Return the name of a puzzle's kind, with its rules if it has its own.
  kind({ kind, titles }) {
    return [this.say(kind), ...(titles?.[this.language] ?? [])].join(" · ");
  }

  // Return the name of a grade; a grade that the table lacks keeps its own name.
  grade(name) {
    return this.known(`grade_${name}`, name);
  }

  // Return a prediction in words: minutes, or seconds for a short puzzle.
  amount(value, { predicted }) {
    const [key, each] = predicted < 90 ? ["seconds", 1] : ["minutes", 60];
    return this.say(key, { n: Math.max(1, Math.round(value / each)) });
  }

  prediction(puzzle) {
    const { predicted, low, high, grade } = puzzle;
    const parts = [];
    if (grade) parts.push(this.grade(grade));
    if (predicted !== null) {
      const [middle, from, to] = [predicted, low, high].map((value) => this.amount(value, puzzle));
      const range = low !== null && high !== null && { from: from.match(/^\d+/)[0], to };
      parts.push(this.say(range ? "predicted_range" : "predicted", { middle, ...range }));
    }
    return parts.join(" · ");
  }

  // Set the text of every element that names one.
  fill(root) {
    for (const one of root.querySelectorAll("[data-say]")) one.textContent = this.say(one.dataset.say);
    for (const one of root.querySelectorAll("[data-label]")) {
      one.setAttribute("aria-label", this.say(one.dataset.label));
      one.title = this.say(one.dataset.label);
    }
    document.documentElement.lang = this.language;
  }
}
