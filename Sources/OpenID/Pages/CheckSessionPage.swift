import HTTP

/// The page behind `check_session_iframe`: nothing to see, one script.
///
/// Browsers offer its digest function on secure origins and on loopback alone.
enum CheckSessionPage {
    static func text(_ script: String) -> String {
        HTML(
            """
            <!doctype html>
            <html lang="en">
            <head><meta charset="utf-8"><title>Session check</title></head>
            <body><script>\(HTML(markup: script))</script></body>
            </html>

            """
        ).text
    }

    /// - Parameter cookie: name of the browser-state cookie: letters, digits, dots, dashes.
    static func script(cookie: String) -> String {
        """
        "use strict";
        const name = "\(cookie)=";
        function browserState() {
          const found = document.cookie.split("; ").find((pair) => pair.startsWith(name));
          return found ? found.slice(name.length) : "";
        }
        async function judge(origin, message) {
          const [client, state, ...rest] = String(message).split(" ");
          const [digest, salt] = (state || "").split(".");
          if (!client || !digest || !salt || rest.length) return "error";
          const text = [client, origin, browserState(), salt].join(" ");
          const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
          const hex = Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
          return hex === digest ? "unchanged" : "changed";
        }
        addEventListener("message", async (event) => {
          if (!event.source || event.source === window) return;
          let answer = "error";
          try { answer = await judge(event.origin, event.data); } catch { /* stays an error */ }
          event.source.postMessage(answer, event.origin);
        });
        """
    }
}
