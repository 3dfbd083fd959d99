//! A headless Chromium, driven over the DevTools protocol: just enough to open a page and use it.

use std::io::{BufRead as _, BufReader};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;
use tungstenite::{Message, WebSocket, client};

/// Where Debian and others put it.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// A running browser with one tab.
pub(crate) struct Browser {
    child: Child,
    socket: WebSocket<TcpStream>,
    session: String,
    next: u64,
    events: Vec<Value>,
    _profile: TempDir,
}

impl Browser {
    /// Starts a browser.
    pub(crate) fn start() -> Self {
        let name =
            present().unwrap_or_else(|| panic!("find a browser: none of {NAMES:?} is on this machine"));
        let profile = tempfile::tempdir().expect("make a folder for the profile");
        let mut child = Command::new(name)
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
            ])
            .args([
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
            ])
            .args([
                "--disable-dev-shm-usage",
                "--hide-scrollbars",
                "--remote-debugging-port=0",
            ])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg("about:blank")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("start the browser");
        let mut lines = BufReader::new(child.stderr.take().expect("it is piped")).lines();
        let url = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| Some(line.split_once("DevTools listening on ")?.1.to_owned()))
            .expect("the browser says where it listens");
        // The rest of its log is read, so that it does not wait for a reader.
        std::thread::spawn(move || lines.for_each(drop));
        let address = url.strip_prefix("ws://").expect("a socket");
        let stream = TcpStream::connect(address.split('/').next().expect("host and port")).expect("connect");
        stream
            .set_read_timeout(Some(Duration::from_mins(1)))
            .expect("set a limit");
        let (socket, _) = client(url.as_str(), stream).expect("shake hands");
        let mut browser = Self {
            child,
            socket,
            session: String::new(),
            next: 0,
            events: Vec::new(),
            _profile: profile,
        };
        let target = browser.call("Target.createTarget", &json!({ "url": "about:blank" }));
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let attached = browser.call("Target.attachToTarget", &attach);
        attached["sessionId"]
            .as_str()
            .expect("a session")
            .clone_into(&mut browser.session);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.call(&format!("{domain}.enable"), &json!({}));
        }
        browser.call("Page.setLifecycleEventsEnabled", &json!({ "enabled": true }));
        // Several browsers run at a time, and only one window of a machine has the focus.
        browser.call("Emulation.setFocusEmulationEnabled", &json!({ "enabled": true }));
        browser
    }

    fn message(&mut self) -> Value {
        loop {
            match self.socket.read().expect("the browser answers in time") {
                Message::Text(text) => return serde_json::from_str(&text).expect("the protocol is JSON"),
                Message::Close(_) => panic!("the browser closed the connection"),
                _ => {}
            }
        }
    }

    /// Calls a method of the protocol and returns its result.
    pub(crate) fn call(&mut self, method: &str, params: &Value) -> Value {
        self.next += 1;
        let id = self.next;
        let mut request = json!({ "id": id, "method": method, "params": params });
        if !self.session.is_empty() {
            request["sessionId"] = json!(self.session);
        }
        self.socket
            .send(Message::text(request.to_string()))
            .expect("the browser listens");
        loop {
            let message = self.message();
            if message["id"] == id {
                assert!(message["error"].is_null(), "{method}: {}", message["error"]);
                return message["result"].clone();
            }
            self.events.push(message);
        }
    }

    /// Opens a page and waits until it is loaded.
    pub(crate) fn open(&mut self, url: &str) {
        // From another document, so that a fragment alone loads the page anew as well.
        for url in ["about:blank", url] {
            self.events.clear();
            let navigation = self.call("Page.navigate", &json!({ "url": url }));
            let loaded = |event: &Value| {
                event["method"] == "Page.lifecycleEvent"
                    && event["params"]["name"] == "load"
                    && event["params"]["loaderId"] == navigation["loaderId"]
            };
            while !self.events.iter().any(loaded) {
                let message = self.message();
                self.events.push(message);
            }
        }
        self.settle();
    }

    /// The width and height of the window, whether it is a phone's, and the colour scheme.
    pub(crate) fn look(&mut self, width: u32, height: u32, phone: bool, scheme: &str) {
        let metrics = json!({ "width": width, "height": height, "screenWidth": width, "screenHeight": height,
            "deviceScaleFactor": 1, "mobile": phone });
        self.call("Emulation.setDeviceMetricsOverride", &metrics);
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme },
            { "name": "prefers-reduced-motion", "value": "reduce" }]);
        self.call("Emulation.setEmulatedMedia", &json!({ "features": features }));
    }

    /// Evaluates an expression in the page; a promise is awaited.
    pub(crate) fn eval(&mut self, expression: &str) -> Value {
        let params = json!({ "expression": expression, "returnByValue": true, "awaitPromise": true, "userGesture": true });
        let result = self.call("Runtime.evaluate", &params);
        assert!(
            result["exceptionDetails"].is_null(),
            "{expression}: {}",
            result["exceptionDetails"]
        );
        result["result"]["value"].clone()
    }

    /// Waits until what the page has begun is drawn.
    pub(crate) fn settle(&mut self) {
        self.eval(
            "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))",
        );
    }

    /// Clicks the middle of the first element that a selector finds, as a mouse does.
    pub(crate) fn click(&mut self, selector: &str) {
        let place = self.middle(selector);
        for kind in ["mousePressed", "mouseReleased"] {
            let event =
                json!({ "type": kind, "x": place[0], "y": place[1], "button": "left", "clickCount": 1 });
            self.call("Input.dispatchMouseEvent", &event);
        }
        self.settle();
    }

    /// Moves the mouse over the middle of the first element that a selector finds.
    pub(crate) fn hover(&mut self, selector: &str) {
        let place = self.middle(selector);
        let event = json!({ "type": "mouseMoved", "x": place[0], "y": place[1] });
        self.call("Input.dispatchMouseEvent", &event);
        self.settle();
    }

    /// The middle of the first element that a selector finds, which is scrolled into view.
    fn middle(&mut self, selector: &str) -> Value {
        self.eval(&format!(
            "(() => {{ const e = document.querySelector({}); e.scrollIntoView({{ block: 'center' }});
             const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; }})()",
            json!(selector)
        ))
    }

    /// Types a text where the focus is.
    pub(crate) fn type_text(&mut self, text: &str) {
        self.call("Input.insertText", &json!({ "text": text }));
        self.settle();
    }

    /// Presses a key that is no character.
    pub(crate) fn press(&mut self, key: &str) {
        for kind in ["keyDown", "keyUp"] {
            self.call(
                "Input.dispatchKeyEvent",
                &json!({ "type": kind, "key": key, "code": key }),
            );
        }
        self.settle();
    }

    /// What the page said since it was opened: console lines, exceptions, violations of its policy.
    pub(crate) fn complaints(&self) -> Vec<String> {
        let said = [
            "Runtime.consoleAPICalled",
            "Runtime.exceptionThrown",
            "Log.entryAdded",
        ];
        let complains = |event: &&Value| said.iter().any(|method| event["method"] == *method);
        self.events
            .iter()
            .filter(complains)
            .map(|event| event["params"].to_string())
            .collect()
    }

    /// The addresses that were asked for since the page was opened.
    pub(crate) fn fetched(&self) -> Vec<String> {
        let asks = |event: &&Value| event["method"] == "Network.requestWillBeSent";
        let url = |event: &Value| {
            event["params"]["request"]["url"]
                .as_str()
                .unwrap_or("?")
                .to_owned()
        };
        self.events.iter().filter(asks).map(url).collect()
    }

    /// Writes a picture of the window into the folder that `SEEDPROOF_SCREENSHOTS` names, if it names one.
    pub(crate) fn picture(&mut self, name: &str, whole: bool) {
        let Some(folder) = std::env::var_os("SEEDPROOF_SCREENSHOTS") else {
            return;
        };
        let taken = self.call(
            "Page.captureScreenshot",
            &json!({ "captureBeyondViewport": whole }),
        );
        let bytes = data_encoding::BASE64
            .decode(taken["data"].as_str().expect("a picture").as_bytes())
            .expect("it is base64");
        std::fs::write(std::path::Path::new(&folder).join(name), bytes).expect("write the picture");
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let close = json!({ "id": 0, "method": "Browser.close" });
        // A browser that does not listen any more is ended all the same.
        drop(self.socket.send(Message::text(close.to_string())));
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

fn present() -> Option<&'static str> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let is_there = |name: &&str| std::env::split_paths(&path).any(|folder| folder.join(name).is_file());
    NAMES.into_iter().find(is_there)
}

/// Why there is no browser, if there is none.
pub(crate) fn absent() -> Option<String> {
    present()
        .is_none()
        .then(|| format!("none of {} is on this machine", NAMES.join(", ")))
}
