// Requests to the server that the page came from. Paths are relative, because a proxy may have the
// pages below a path of its own.

const PATIENCE = 20_000;

export class Refusal extends Error {
  constructor(status, { detail, reason, fields } = {}) {
    super(typeof detail === "string" ? detail : `HTTP ${status}`);
    this.status = status;
    this.detail = detail;
    this.reason = reason;
    this.fields = fields;
  }
}

// Return the reason of a refusal in the language of the page, or that the server does not answer.
export function refusalText(error, words, unanswered) {
  if (!(error instanceof Refusal)) return words.say(unanswered);
  const other = words.say("refused_other", { detail: error.message });
  const text = words.known(`refused_${error.reason}`, other, error.fields);
  return text[0].toUpperCase() + text.slice(1).replace(/[^.]$/, "$&.");
}

// Send a request and return the JSON of the answer. Throw a Refusal if the server refuses, another
// error if it does not answer. `csrf` is the token of the session.
export async function ask(method, path, { body, csrf = "", headers = {} } = {}) {
  const found = await fetch(path, {
    method,
    credentials: "same-origin",
    signal: AbortSignal.timeout(PATIENCE),
    headers: {
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(csrf ? { "x-csrf-token": csrf } : {}),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!found.ok) {
    const refused = await found.json().catch(() => ({}));
    throw new Refusal(found.status, refused);
  }
  return found.json();
}
