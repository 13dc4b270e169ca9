"""A headless Chromium, driven over a pipe by its DevTools protocol, and a server of static files for it."""
import base64
import functools
import http.server
import json
import os
import subprocess
import tempfile
import threading


KEYS = {"Tab": (9, ""), "Enter": (13, "\r"), "Space": (32, " ")}
SHIFT, CTRL = 8, 2


class Quiet(http.server.SimpleHTTPRequestHandler):
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".wasm": "application/wasm", ".js": "text/javascript"}

    def log_message(self, *_):
        pass


def serve(directory):
    """Its address; the server lives as long as this program."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=directory))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/"


class Browser:
    def __init__(self, program="chromium"):
        self.home = tempfile.TemporaryDirectory(prefix="rocsteady-chromium.", ignore_cleanup_errors=True)
        asked, self.write = os.pipe()
        self.read, told = os.pipe()
        words = [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                 "--disable-background-networking", f"--user-data-dir={self.home.name}", "--remote-debugging-pipe"]
        self.process = subprocess.Popen(["bash", "-c", f'exec "$@" 3<&{asked} 4>&{told}', "-", *words], pass_fds=(asked, told),
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(asked)
        os.close(told)
        self.rest = b""
        self.number = 0
        self.session = None
        self.events = []

    def message(self):
        while b"\0" not in self.rest:
            some = os.read(self.read, 1 << 20)
            if not some:
                raise EOFError("the browser has ended")
            self.rest += some
        one, self.rest = self.rest.split(b"\0", 1)
        return json.loads(one)

    def call(self, method, **parameters):
        self.number += 1
        question = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            question["sessionId"] = self.session
        data = json.dumps(question).encode() + b"\0"
        while data:
            data = data[os.write(self.write, data):]
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def open(self, address, **screen):
        """A new tab; { width, height, mobile, dark }."""
        self.session = None
        tab = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=tab, flatten=True)["sessionId"]
        self.call("Network.enable")
        self.call("Page.enable")
        self.call("Log.enable")
        self.call("Runtime.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=screen.get("width", 1280), height=screen.get("height", 900),
                  deviceScaleFactor=1, mobile=screen.get("mobile", False))
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if screen.get("dark") else "light"}])
        self.call("Page.navigate", url=address)

    def evaluate(self, script):
        done = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in done:
            raise RuntimeError(done["exceptionDetails"].get("exception", {}).get("description", done["exceptionDetails"]["text"]))
        return done["result"].get("value")

    def wait(self, script, seconds=60):
        """Until the expression is true."""
        self.evaluate(f"""new Promise((done, late) => {{
            const end = Date.now() + {seconds * 1000};
            (function look() {{
                if ({script}) done(true); else if (Date.now() > end) late(new Error("not in time")); else setTimeout(look, 10);
            }})(); }})""")

    def press(self, name, held=0):
        """A key as a keyboard sends it; held is SHIFT or CTRL."""
        code, text = KEYS[name]
        key = {"key": text if name == "Space" else name, "code": name, "windowsVirtualKeyCode": code, "modifiers": held}
        self.call("Input.dispatchKeyEvent", type="keyDown", **key, **({"text": text} if text and not held else {}))
        self.call("Input.dispatchKeyEvent", type="keyUp", **key)

    def picture(self, path, whole=True):
        shot = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        with open(path, "wb") as out:
            out.write(base64.b64decode(shot["data"]))

    def requests(self):
        return [e["params"]["request"]["url"] for e in self.events if e.get("method") == "Network.requestWillBeSent"]

    def complaints(self):
        return [e["params"]["entry"]["text"] for e in self.events
                if e.get("method") == "Log.entryAdded" and e["params"]["entry"]["level"] == "error"]

    def close(self):
        self.process.terminate()
        self.process.wait(20)
        self.home.cleanup()
