// The texts of the page: one table, a row a text, a column a language.

export class Words {
  constructor(table, language) {
    this.table = table;
    this.language = language;
  }

  // Languages in which every text is there.
  static choose(table, wanted, otherwise) {
    const known = Object.keys(Object.values(table)[0]);
    return wanted.map((tag) => tag.slice(0, 2)).find((tag) => known.includes(tag)) ?? otherwise;
  }

  // A value is a text, or has one for each language.
  say(key, values = {}) {
    const text = this.table[key]?.[this.language] ?? key;
    return text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name]?.[this.language] ?? values[name] ?? whole));
  }

  // A text, or another where the table does not know it.
  known(key, otherwise, values = {}) {
    return this.table[key] ? this.say(key, values) : otherwise;
  }

  // The kind of a puzzle, with its rules where it has its own.
  kind({ kind, titles }) {
    return [this.say(kind), ...(titles?.[this.language] ?? [])].join(" · ");
  }

  // The name of a grade; one that the table does not know is told as it is.
  grade(name) {
    return this.known(`grade_${name}`, name);
  }

  // A prediction: minutes, or seconds where all of a puzzle takes few, or points.
  amount(value, { unit, predicted }) {
    const [key, each] = unit === "points" ? ["points", 1] : predicted < 90 ? ["seconds", 1] : ["minutes", 60];
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

  // Put the texts of the language into all elements that name one.
  fill(root) {
    for (const one of root.querySelectorAll("[data-say]")) one.textContent = this.say(one.dataset.say);
    for (const one of root.querySelectorAll("[data-label]")) {
      one.setAttribute("aria-label", this.say(one.dataset.label));
      one.title = this.say(one.dataset.label);
    }
    document.documentElement.lang = this.language;
  }
}
