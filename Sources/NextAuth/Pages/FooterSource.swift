/// What every footer says to the browser.
enum FooterSource {
    static let style = """
        .nextauth-block { max-width: 20rem; text-align: center; font-family: sans-serif; }
        .nextauth-qr svg { width: 100%; height: auto; }
        .nextauth-app { display: none; }
        .nextauth-push { min-height: 2.75rem; width: 100%; font: inherit; cursor: pointer; }
        .nextauth-status:empty { display: none; }
        @media (hover: none) and (pointer: coarse) {
          .nextauth-app { display: block; }
          .nextauth-qr { display: none; }
        }
        """

    /// Loads the page again when somebody logs in or out, tells what the phone does meanwhile, and connects again when the
    /// connection is lost. Source: Server SDK, “WebSocket”.
    static let script = """
        (function () {
          "use strict";
          var texts = {
            CONFIRMSCAN: "Your phone has read the code. Go on there.",
            CONFIRMPROVOKE: "Your phone was asked. Go on there.",
            CANCEL: "You declined on your phone.",
            NOACCOUNTS: "The app that read the code has no account here."
          };
          var lost = "No connection to the server. Try again in a moment.";
          var sessions = JSON.parse(document.getElementById("nextauth-sessions").textContent);
          var sockets = {};

          function each(hsid, act) {
            document.querySelectorAll(".nextauth-block").forEach(function (block) {
              if (block.dataset.hsid === hsid) { act(block); }
            });
          }

          function tell(block, text) { block.querySelector(".nextauth-status").textContent = text; }

          // Once a second at most, for a site that shows the state of a moment ago.
          function reload() {
            setTimeout(function () { location.reload(); }, Math.max(0, 1000 - performance.now()));
          }

          function hear(message) {
            var parts = message.data.split(" ");
            sessions.forEach(function (session) {
              if (session.hsid !== parts[1] || session.server !== parts[2]) { return; }
              var isLogin = parts[0] === "LOGIN";
              if ((isLogin || parts[0] === "LOGOUT") && isLogin !== session.loggedin) { reload(); }
              each(session.hsid, function (block) {
                block.dataset.state = parts[0];
                if (texts[parts[0]]) { tell(block, texts[parts[0]]); }
              });
            });
          }

          function connect(address, pause) {
            var socket = sockets[address] = new WebSocket(address);
            socket.onmessage = hear;
            socket.onopen = function () {
              pause = 500;
              sessions.forEach(function (session) {
                if (session.address !== address) { return; }
                socket.send("REGISTER " + session.hsid + " " + session.server);
                each(session.hsid, function (block) {
                  if (block.querySelector(".nextauth-status").textContent === lost) { tell(block, ""); }
                });
              });
            };
            socket.onclose = function () {
              setTimeout(function () { connect(address, Math.min(pause * 2, 30000)); }, pause);
            };
          }

          document.addEventListener("click", function (event) {
            var button = event.target.closest(".nextauth-push");
            if (!button) { return; }
            var block = button.closest(".nextauth-block");
            sessions.forEach(function (session) {
              if (session.hsid !== block.dataset.hsid) { return; }
              var socket = sockets[session.address];
              if (socket.readyState !== WebSocket.OPEN) { return tell(block, lost); }
              socket.send("PROVOKE " + session.hsid + " " + session.server);
              tell(block, "Look at your phone.");
            });
          });

          sessions.forEach(function (session) {
            if (!sockets[session.address]) { connect(session.address, 500); }
          });
        })();
        """
}
