"""Real services of the tests' own, for what stands behind a mount in the place of a platform."""

import socket
import ssl
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Seen:
    """A request as the service got it."""

    def __init__(self, handler, body):
        self.method, self.target, self.headers, self.body = handler.command, handler.path, handler.headers, body


class Service:
    """A server that answers by path, and remembers what it was asked. `answers` has a status, a list of header fields and a body each,
    or a function that makes them of the request."""

    def __init__(self, certificate=None):
        self.answers, self.seen, self.connections = {}, [], 0
        service = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def setup(self):
                service.connections += 1
                super().setup()

            def answer(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                service.seen.append(seen := Seen(self, body))
                made = service.answers.get(self.path.split("?")[0], (404, [], b"nothing here"))
                status, fields, content = made(seen) if callable(made) else made
                content = content.encode() if isinstance(content, str) else content
                self.send_response(status)
                for name, value in fields:
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(content)

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = do_OPTIONS = answer

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}"
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*certificate)
            self.names = []
            context.sni_callback = lambda _, name, __: self.names.append(name)
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
            self.url = f"https://localhost:{self.port}"
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True)
        self.thread.start()

    @property
    def last(self):
        return self.seen[-1]

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


class Wire:
    """A server that sends these bytes to whoever asks, whatever it is asked: a list of pieces, or a function that is given the connection."""

    def __init__(self, pieces):
        self.pieces, self.asked, self.heard = pieces, 0, b""
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection):
        with connection:
            try:
                self.heard = connection.recv(65536)
                self.asked += 1
                if callable(self.pieces):
                    return self.pieces(connection)
                for piece in self.pieces:
                    connection.sendall(piece)
            except OSError:
                pass  # Whoever asked has gone.

    def stop(self):
        self.listener.close()
