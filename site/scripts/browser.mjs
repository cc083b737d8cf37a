// Chromium by chromedriver's W3C protocol: open a page, run a script in it, take its picture.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

export class Browser {
  #driver;
  #session;

  static async start() {
    const browser = new Browser();
    browser.#driver = spawn("chromedriver", ["--port=0"], { stdio: ["ignore", "pipe", "ignore"] });
    let port;
    for await (const line of createInterface({ input: browser.#driver.stdout })) {
      port = /successfully on port (\d+)/.exec(line)?.[1];
      if (port) break;
    }
    if (!port) throw new Error("chromedriver did not start");
    browser.#session = `http://127.0.0.1:${port}/session`;
    const args = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--force-prefers-reduced-motion"];
    const timeouts = { script: 180_000, pageLoad: 180_000 }; // a busy machine
    const capabilities = { alwaysMatch: { "goog:chromeOptions": { args }, timeouts } };
    try {
      const { sessionId } = await browser.#call("POST", "", { capabilities });
      browser.#session += `/${sessionId}`;
    } catch (e) {
      browser.#driver.kill();
      throw e;
    }
    return browser;
  }

  async #call(method, path, body) {
    const reply = await fetch(this.#session + path, {
      method,
      headers: { "content-type": "application/json" },
      body: body && JSON.stringify(body),
    });
    const { value } = await reply.json();
    if (!reply.ok) throw new Error(`${method} ${path}: ${value?.message ?? reply.status}`);
    return value;
  }

  open(url) {
    return this.#call("POST", "/url", { url });
  }

  size(width, height) {
    return this.#call("POST", "/window/rect", { width, height });
  }

  /** Runs the body of a function. */
  run(script, args = []) {
    return this.#call("POST", "/execute/sync", { script, args });
  }

  /** The same, for a body that calls its last argument with the result. */
  wait(script, args = []) {
    return this.#call("POST", "/execute/async", { script, args });
  }

  async picture() {
    return Buffer.from(await this.#call("GET", "/screenshot"), "base64");
  }

  async close() {
    await this.#call("DELETE", "").catch(() => {});
    this.#driver.kill();
    await once(this.#driver, "exit");
  }
}
