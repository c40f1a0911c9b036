"""The API of a Kubernetes cluster for Secrets, with the rules of RBAC, over TLS at a free port of 127.0.0.1, which is the first
line of output.

`server.pem`, `server.key` and `ca.pem` are in the folder it starts in. A line of input is a JSON object for the test that
runs it (`Control`), and is answered by a line that begins with its `id`. It ends with its input.
"""
import copy, datetime, http.server, json, os, re, socket, socketserver, ssl, struct, sys, threading, time, urllib.parse
sys.dont_write_bytecode = True
import kubernetes_secrets as cluster
from kubernetes_secrets import Refusal, changed, events, secrets

LIST = "PartialObjectMetadataList"
requests, faults = [], []
# Users by bearer token; a certificate has the name of its user. The rules of each: verbs, and names or None for all.
tokens = {"admin-token": "admin"}
roles = {"admin": [{"verbs": ["*"], "names": None}]}


RESOURCES = {
    "/version": {"major": "1", "minor": "32", "gitVersion": "v1.32.0", "platform": "linux/amd64"},
    "/api": {"kind": "APIVersions", "versions": ["v1"], "serverAddressByClientCIDRs": []},
    "/apis": {"kind": "APIGroupList", "apiVersion": "v1", "groups": []},
    "/api/v1": {"kind": "APIResourceList", "groupVersion": "v1", "resources": [
        {"name": "secrets", "singularName": "secret", "namespaced": True, "kind": "Secret",
         "verbs": ["create", "delete", "get", "list", "patch", "update", "watch"]}]},
}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *_): pass

    def user(self):
        given = self.headers.get("Authorization")
        if given:
            if given.startswith("Bearer ") and given[7:] in tokens: return tokens[given[7:]]
            raise Refusal(401, "Unauthorized", "Unauthorized")
        certificate = self.connection.getpeercert()
        names = dict(pair for part in certificate["subject"] for pair in part) if certificate else {}
        return names.get("commonName", "system:anonymous")

    def authorize(self, user, verb, name):
        for rule in roles.get(user, []):
            if verb in rule["verbs"] or "*" in rule["verbs"]:
                if rule["names"] is None or name in rule["names"]: return
        subject = f'secrets "{name}" is' if name else "secrets is"
        raise Refusal(403, "Forbidden", f'{subject} forbidden: User "{user}" cannot {verb} resource "secrets" in API group ""'
                                        ' in the namespace "fleet"', name)

    def fault(self, verb):
        with changed:
            for fault in faults:
                if fault["verb"] != verb: continue
                fault["skip"] -= 1
                if fault["skip"] >= 0: continue
                fault["count"] -= 1
                if fault["count"] == 0: faults.remove(fault)
                # What another client has written just before.
                if fault["secret"]: Control().set(fault["secret"])
                return fault["kind"]

    def log(self, status):
        """Takes note of the request, before it is answered."""
        with changed:
            self.record["status"] = status
            requests.append(self.record)
            changed.notify_all()

    def reset(self):
        self.log(None)
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True
        os.close(self.connection.detach())

    def reply(self, code, body, **headers):
        self.log(code)
        content = json.dumps(body).encode() + b"\n"
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        for name, value in headers.items(): self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(content)

    def serve(self):
        url = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(url.query))
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        parts = url.path.strip("/").split("/")
        self.record = record = {"user": None, "verb": None, "name": None, "query": query}
        try:
            record["user"] = user = self.user()
            if self.command == "GET" and url.path in RESOURCES: return self.reply(200, RESOURCES[url.path])
            if parts[:3] != ["api", "v1", "namespaces"] or parts[4:5] != ["secrets"] or len(parts) > 6:
                raise Refusal(404, "NotFound", "the server could not find the requested resource")
            name = parts[5] if len(parts) > 5 else None
            verb = {"POST": "create", "PUT": "update", "PATCH": "patch", "DELETE": "delete"}.get(self.command, "get")
            if verb == "get" and not name:
                verb = "watch" if query.get("watch", "").lower() in ("1", "t", "true") else "list"
                match = re.fullmatch(r"metadata\.name==?(.*)", query.get("fieldSelector", ""))
                name = match and match[1]
            if body and "json" not in (self.headers.get("Content-Type") or "json"):
                raise Refusal(415, "UnsupportedMediaType", "the body of the request was in an unknown format")
            sent = json.loads(body) if body else None
            record.update(verb=verb, name=name or (sent or {}).get("metadata", {}).get("name"))
            if verb == "update": record["isConditional"] = bool(sent.get("metadata", {}).get("resourceVersion"))
            if verb == "delete": record["isConditional"] = "resourceVersion" in ((sent or {}).get("preconditions") or {})
            self.authorize(user, verb, name)
            if parts[3] != "fleet":
                what = f'namespaces "{parts[3]}"' if verb == "create" else f'secrets "{name}"'
                raise Refusal(404, "NotFound", f"{what} not found")
            self.carry_out(verb, name, sent, query)
        except Refusal as refusal:
            self.reply(refusal.code, refusal.body, **refusal.headers)
        except (OSError, ValueError):
            self.close_connection = True

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = serve

    def carry_out(self, verb, name, sent, query):
        fault = self.fault(verb)
        if fault == "reset": return self.reset()
        if fault == "slow": time.sleep(3)
        if fault == "500": raise Refusal(500, "InternalError", "Internal error occurred: etcdserver: request timed out")
        if fault == "504": raise Refusal(504, "Timeout", "Timeout: request did not complete within the allotted timeout")
        if fault == "429": raise Refusal(429, "TooManyRequests", "the server has received too many requests", Retry_After="1")
        if fault == "410": raise Refusal(410, "Expired", "too old resource version: 900 (1200)")
        if fault == "html": return self.reply(502, "<html>Bad Gateway</html>")
        if verb == "watch": return self.watch(query, fault)
        with changed:
            if fault == "overtaken":
                # Another client comes first.
                if verb == "create": cluster.create({"metadata": {"name": self.record["name"]}})
                else: cluster.store(copy.deepcopy(cluster.found(name)), "MODIFIED")
            answer = copy.deepcopy(self.result(verb, name, sent, query))
        if fault == "done, 500": raise Refusal(500, "InternalError", "Internal error occurred: context deadline exceeded")
        if fault == "done, 504": raise Refusal(504, "ServerTimeout", "The server cannot complete the operation at this time")
        if fault == "done, reset": return self.reset()
        self.reply(201 if verb == "create" else 200, answer)

    def result(self, verb, name, sent, query):
        if verb == "get": return cluster.found(name)
        if verb == "create": return cluster.create(sent)
        if verb == "update": return cluster.update(name, sent)
        if verb == "patch": return cluster.update(name, cluster.merged(cluster.found(name), sent))
        if verb == "delete": return cluster.delete(name, sent)
        items = [copy.deepcopy(secret) for secret in secrets.values() if cluster.selected(query)(secret)]
        kind = "SecretList"
        if LIST in self.headers.get("Accept", ""):
            kind, items = LIST, [{"metadata": secret["metadata"]} for secret in items]
        return {"kind": kind, "apiVersion": "v1", "metadata": {"resourceVersion": str(cluster.version)}, "items": items}

    def chunk(self, content): self.wfile.write(b"%x\r\n%s\r\n" % (len(content), content))

    def watch(self, query, fault):
        def line(kind, secret): return json.dumps({"type": kind, "object": secret}).encode() + b"\n"
        fits = cluster.selected(query)
        with changed:
            asked = query.get("resourceVersion")
            begun = len(events) if not asked else next((i for i, e in enumerate(events) if e[0] > int(asked)), len(events))
            ready = [line("ADDED", secret) for secret in secrets.values() if fits(secret)] if not asked else []
            self.log(200)
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        if fault == "410 inside":
            status = Refusal(410, "Expired", "too old resource version: 900 (1200)").body
            self.chunk(line("ERROR", status))
            return self.chunk(b"")
        if fault == "cut":
            self.wfile.write(b"400\r\n" + (ready + [line("MODIFIED", {})])[0][:20])
            self.close_connection = True
            return
        for one in ready: self.chunk(one)
        if query.get("allowWatchBookmarks", "").lower() in ("1", "t", "true"):
            mark = {"kind": "Secret", "apiVersion": "v1", "metadata": {"resourceVersion": str(cluster.version)}}
            self.chunk(line("BOOKMARK", mark))
        end = datetime.datetime.now() + datetime.timedelta(seconds=int(query.get("timeoutSeconds", 300)))
        while (left := (end - datetime.datetime.now()).total_seconds()) > 0:
            with changed:
                changed.wait_for(lambda: len(events) > begun, left)
                fresh, begun = events[begun:], len(events)
            for _, kind, secret in fresh:
                if fits(secret): self.chunk(line(kind, secret))
        self.chunk(b"")


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def finish_request(self, request, address):
        # The handshake is made in the thread of the connection.
        try:
            with context.wrap_socket(request, server_side=True) as tls: super().finish_request(tls, address)
        except OSError: pass

    def shutdown_request(self, request): self.close_request(request)


class Control:
    """What a test asks."""

    def get(self, name): return secrets.get(name)

    def set(self, secret):
        """Puts a Secret there as an administrator would; None for a member takes it away."""
        name = secret["metadata"]["name"]
        return cluster.update(name, cluster.merged(secrets[name], secret)) if name in secrets else cluster.create(secret)

    def remove(self, name): return cluster.delete(name, None)
    def fault(self, verb, kind, count=1, skip=0, secret=None):
        faults.append({"verb": verb, "kind": kind, "count": count, "skip": skip, "secret": secret})

    def clear(self):
        """Ends the faults, and says how many had not come."""
        left = len(faults)
        faults.clear()
        return left
    def token(self, text, user): tokens[text] = user
    def withdraw(self, text): del tokens[text]
    def role(self, user, rules): roles[user] = rules
    def requests(self): return requests

    def wait(self, verb, count=1):
        """Until so many requests of a verb have come."""
        return changed.wait_for(lambda: sum(one["verb"] == verb for one in requests) >= count, 50)


context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain("server.pem", "server.key")
context.load_verify_locations("ca.pem")
context.verify_mode = ssl.CERT_OPTIONAL
server = Server(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_address[1], flush=True)
for line in sys.stdin:
    call = json.loads(line)
    with changed: answer = getattr(Control, call["do"])(None, **call.get("with", {}))
    print(call["id"], json.dumps(answer), flush=True)
