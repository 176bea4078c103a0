// Calls of the control API, beside which the page has no other source.

const base = new URL(".", document.baseURI);
const STORE = "mocknet-token";
let token = null;
let onUnauthorized = () => {};

/** Takes the control token out of the address, where the printed link carries it behind `#`, and keeps it for this tab. */
export function takeToken() {
  const found = /(?:^#|&)token=([^&]*)/.exec(location.hash);
  if (found) {
    setToken(decodeURIComponent(found[1]));
    const rest = location.hash.replace(found[0], "").replace(/^#?&?/, "");
    history.replaceState(null, "", rest ? "#" + rest : location.pathname);
  } else {
    token = sessionStorage.getItem(STORE);
  }
}

/** Uses another token from now on. */
export function setToken(value) {
  token = value || null;
  if (token) sessionStorage.setItem(STORE, token);
  else sessionStorage.removeItem(STORE);
}

/** What is done when a call is refused for want of a token. */
export function whenUnauthorized(action) { onUnauthorized = action; }

/** Why a call was refused; `status` is 0 where there was no answer. */
export class ApiError extends Error {
  constructor(status, code, message, field) {
    super(message);
    this.status = status;
    this.code = code;
    this.field = field;
  }
}

/** The address of a call with its query; parameters that are null are left out. */
function address(path, parameters) {
  const url = new URL("v1/" + path, base);
  for (const [name, value] of Object.entries(parameters ?? {})) {
    if (value !== null && value !== undefined && value !== "") url.searchParams.set(name, value);
  }
  return url;
}

/** The answer to a call, whatever its status but for refusals, which are thrown. */
export async function request(method, path, { parameters, body, signal, headers } = {}) {
  const all = { ...headers };
  if (token) all.Authorization = "Bearer " + token;
  if (body !== undefined) all["Content-Type"] = "application/json";
  let response;
  try {
    response = await fetch(address(path, parameters), {
      method, headers: all, signal, cache: "no-store", credentials: "omit", redirect: "error",
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError(0, "unreachable", "mocknet does not answer");
  }
  if (response.ok) return response;
  if (response.status === 401) onUnauthorized();
  let refusal = {};
  try {
    refusal = (await response.json()).error ?? {};
  } catch {
    // Whatever answered, it was not the control API.
  }
  throw new ApiError(response.status, refusal.code, refusal.message ?? `status ${response.status}`, refusal.field);
}

async function json(response) {
  return response.status === 204 ? null : response.json();
}

/** Reads. */
export async function get(path, parameters, signal) {
  return json(await request("GET", path, { parameters, signal }));
}

/** Reads what may be missing, for one since there is none: null for 404 and 409. */
export async function find(path, parameters, signal) {
  try {
    return await get(path, parameters, signal);
  } catch (error) {
    if (error.status === 404 || error.status === 409) return null;
    throw error;
  }
}

export const post = async (path, body = {}) => json(await request("POST", path, { body }));
export const patch = async (path, body) => json(await request("PATCH", path, { body }));
export const put = async (path, body) => json(await request("PUT", path, { body }));
export const remove = async (path) => json(await request("DELETE", path));

/** The figures of one name that `/metrics` tells, by the value of a label. */
export async function figures(name, label) {
  const url = new URL("metrics", base);
  const response = await fetch(url, { cache: "no-store", credentials: "omit", headers: token ? { Authorization: "Bearer " + token } : {} });
  if (!response.ok) throw new ApiError(response.status, "figures", "the figures cannot be read");
  const found = {};
  for (const line of (await response.text()).split("\n")) {
    const sample = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line);
    if (sample?.[1] === name) found[new RegExp(`(?:^|,)${label}="((?:[^"\\\\]|\\\\.)*)"`).exec(sample[2] ?? "")?.[1] ?? ""] = Number(sample[3]);
  }
  return found;
}

/** Has the browser save what a call answers. */
export async function save(path, name) {
  const response = await request("GET", path);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await response.blob());
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Server-sent events as they come, each `{id, data}`; ends when the connection does. */
export async function* events(path, lastId, signal) {
  const response = await request("GET", path, {
    headers: { Accept: "text/event-stream", "Last-Event-ID": String(lastId) }, signal,
  });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    rest += value;
    const batch = [];
    for (let end = rest.indexOf("\n\n"); end >= 0; end = rest.indexOf("\n\n")) {
      const fields = { data: [] };
      for (const line of rest.slice(0, end).split("\n")) {
        if (line.startsWith("data:")) fields.data.push(line.slice(5).trimStart());
        else if (line.startsWith("id:")) fields.id = Number(line.slice(3));
      }
      rest = rest.slice(end + 2);
      if (fields.data.length) batch.push(JSON.parse(fields.data.join("\n")));
    }
    yield batch;
  }
}
