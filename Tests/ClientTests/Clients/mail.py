"""What the tests of mail programs do alike: the recipe of the page, and a server that asks the API whose token it is."""

import base64
import os
import socketserver
import subprocess
import threading
import urllib.error
import urllib.request


def login():
    subprocess.run(["oap", "login", "mail", "--issuer", os.environ["OAP_ISSUER"], "--open"], check=True)


def recipe(first):
    """The lines of a file in oap-recipes(7), from the first one of it."""
    page = subprocess.run(["oap", "help", "recipes"], check=True, capture_output=True, text=True).stdout
    lines = [line.strip() for line in page.splitlines()]
    start = lines.index(first)
    return lines[start : lines.index("END", start)]


def knows(response):
    """Whether the API takes the token of an XOAUTH2 or OAUTHBEARER response, in Base64."""
    token = base64.b64decode(response).split(b"auth=Bearer ")[1].split(b"\1")[0].decode()
    headers = {"Authorization": f"Bearer {token}"}
    request = urllib.request.Request(os.environ["OAP_API_BASE"] + "/user", headers=headers)
    try:
        return urllib.request.urlopen(request).status == 200
    except urllib.error.HTTPError:
        return False


class Conversation(socketserver.StreamRequestHandler):
    """A server that reads and says lines."""

    def say(self, text):
        self.wfile.write(text.encode() + b"\r\n")

    def hear(self):
        return self.rfile.readline().decode().strip()


class Mail(Conversation):
    """A mail server that takes mail, after XOAUTH2 or OAUTHBEARER."""

    received = []

    def handle(self):
        self.say("220 ready")
        while line := self.hear():
            word = line.split()[0].upper()
            if word == "EHLO":
                self.say("250-here\r\n250 AUTH XOAUTH2 OAUTHBEARER")
            elif word == "AUTH":
                self.say("235 known" if knows(self.response(line)) else "535 unknown")
            elif word == "DATA":
                self.say("354 go on")
                while (text := self.rfile.readline().strip()) != b".":
                    self.received.append(text)
                self.say("250 taken")
            elif word == "QUIT":
                return self.say("221 bye")
            else:
                self.say("250 ok")

    def response(self, line):
        """What follows the mechanism, or the answer to an empty challenge."""
        if len(line.split()) == 2:
            self.say("334 ")
            line += " " + self.hear()
        return line.split()[2]


def serve(handler, context=None):
    """Starts a server, with TLS if there is a context, and returns its port."""
    server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    if context:
        server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_address[1]
