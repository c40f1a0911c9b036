"""A token endpoint that rotates refresh tokens and notices reuse (RFC 9700, section 4.14.2), with a log of all requests."""

import http.server
import json
import ssl
import threading
import time
import urllib.parse

# What a server does about a refresh token that was used before: ends the login; refuses it; gives the same answer for
# some seconds.
MODES = ("revoke", "refuse", "grace")
GRACE = 30


class Login:
    """The state of one login; its refresh tokens are NAME:LOGIN:NUMBER."""

    def __init__(self, mode, number, lifetime):
        self.mode, self.number, self.lifetime = mode, number, lifetime
        self.current, self.revoked, self.rotated = 0, False, 0.0


class TokenServer:
    """`log` has a record for each request: when it came and was answered, the token, and what became of it."""

    def __init__(self, certificate, key):
        self.logins, self.log, self.faults, self.lock = {}, [], {}, threading.Lock()
        self.arrived = threading.Condition(self.lock)
        owner = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version, wbufsize, timeout = "HTTP/1.1", -1, 60

            def do_POST(self):
                form = urllib.parse.parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
                record = {"from": self.client_address[0], "time": time.monotonic(), "token": form["refresh_token"][0]}
                fault, (status, answer) = owner.answer(record)
                if fault in ("unanswered", "lost"):
                    self.close_connection = True
                    return
                if fault == "slow":
                    time.sleep(3)
                if fault == "hang":
                    time.sleep(14)
                text = json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)
                self.wfile.flush()
                record["answered"] = time.monotonic()

            def log_message(self, *_):
                pass

        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)

        class Server(http.server.ThreadingHTTPServer):
            request_queue_size, daemon_threads = 1000, True

            def finish_request(self, request, address):
                # In the thread of the connection: one that does not go on holds nobody up.
                request.settimeout(30)
                with context.wrap_socket(request, server_side=True) as connection:
                    super().finish_request(connection, address)

            def handle_error(self, *_):
                pass

        self.server = Server(("10.9.0.1", 0), Handler)
        self.url = f"https://10.9.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def login(self, name, mode, lifetime=3600):
        """Begins a login, or begins it anew, and returns its first token document, which has expired."""
        with self.lock:
            number = self.logins[name].number + 1 if name in self.logins else 0
            self.logins[name] = Login(mode, number, lifetime)
        return json.dumps({
            "client_id": "fleet", "token_endpoint": f"{self.url}/token", "token_endpoint_auth_method": "none",
            "access_token": f"at:{name}:{number}:0", "refresh_token": f"{name}:{number}:0", "token_type": "Bearer",
            "expires_in": lifetime, "expires_at": 1000})

    def fault(self, name, *faults):
        """What becomes of the next requests of a login, one after another; nil for nothing."""
        self.faults[name] = list(faults)

    def answer(self, record):
        name, number, count = record["token"].split(":")
        with self.lock:
            queue = self.faults.get(name)
            fault = record["fault"] = queue.pop(0) if queue else None
            record["outcome"], answer = self.decide(self.logins[name], name, int(number), int(count), fault)
            self.log.append(record)
            self.arrived.notify_all()
        return fault, answer

    def decide(self, login, name, number, count, fault):
        refused = (400, {"error": "invalid_grant"})
        if fault in ("lost", "unavailable"):
            return fault, (503, {"error": "temporarily_unavailable"})
        if number != login.number or login.revoked:
            return "refused", refused
        if count < login.current:
            isGrace = login.mode == "grace" and count == login.current - 1
            if not isGrace or time.monotonic() - login.rotated > GRACE:
                login.revoked = login.mode == "revoke"
                return "reused", refused
        elif count == login.current:
            login.current, login.rotated = count + 1, time.monotonic()
        else:
            return "unknown", refused
        words = f"{name}:{number}:{login.current}"
        answer = (200, {
            "access_token": f"at:{words}", "refresh_token": words, "token_type": "Bearer",
            "expires_in": login.lifetime})
        # A proxy that hides the answer of the server behind it.
        return "rotated", (502, {}) if fault == "hidden" else answer

    def requests(self, name):
        with self.lock:
            return [record for record in self.log if record["token"].split(":")[0] == name]
