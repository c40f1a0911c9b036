"""msmtp asks oap for the token, and a mail server takes it if the API does."""

import base64
import os
import pathlib
import socketserver
import subprocess
import threading
import urllib.request

from sandbox import expect

received = []


class Mail(socketserver.StreamRequestHandler):
    """A mail server that knows XOAUTH2, and asks the API whose token it is."""

    def handle(self):
        self.say("220 ready")
        while line := self.rfile.readline().decode().strip():
            word = line.split()[0].upper()
            if word == "EHLO":
                self.say("250-here\r\n250 AUTH XOAUTH2 OAUTHBEARER")
            elif word == "AUTH":
                self.say("235 known" if self.knows(self.response(line)) else "535 unknown")
            elif word == "DATA":
                self.say("354 go on")
                while (text := self.rfile.readline().strip()) != b".":
                    received.append(text)
                self.say("250 taken")
            elif word == "QUIT":
                return self.say("221 bye")
            else:
                self.say("250 ok")

    def response(self, line):
        """What follows the mechanism, or the answer to an empty challenge."""
        if len(line.split()) == 2:
            self.say("334 ")
            line += " " + self.rfile.readline().decode().strip()
        return line.split()[2]

    def knows(self, response):
        token = base64.b64decode(response).split(b"auth=Bearer ")[1].split(b"\1")[0].decode()
        headers = {"Authorization": f"Bearer {token}"}
        request = urllib.request.Request(os.environ["OAP_API_BASE"] + "/user", headers=headers)
        return urllib.request.urlopen(request).status == 200

    def say(self, text):
        self.wfile.write(text.encode() + b"\r\n")


subprocess.run(["oap", "login", "mail", "--issuer", os.environ["OAP_ISSUER"], "--open"], check=True)
server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Mail)
threading.Thread(target=server.serve_forever, daemon=True).start()
page = subprocess.run(["oap", "help", "recipes"], check=True, capture_output=True, text=True).stdout
lines = [line.strip() for line in page.splitlines()]
start = lines.index("account mail")
recipe = lines[start : lines.index("END", start)]
settings = {"host": "127.0.0.1", "port": server.server_address[1], "tls": "off"}
own = [f"{line.split()[0]} {settings.get(line.split()[0], line.partition(' ')[2])}" for line in recipe]
config = pathlib.Path("msmtprc").absolute()
for mechanism in ["xoauth2", "oauthbearer"]:
    config.write_text("\n".join(own).replace("auth xoauth2", f"auth {mechanism}") + "\n")
    config.chmod(0o600)
    command = ["msmtp", "-C", config, "-a", "mail", "grace@example.org"]
    subprocess.run(command, input=b"Subject: hello\n\n" + mechanism.encode() + b"\n", check=True, timeout=30)
    expect(mechanism.encode() in received, f"a mail that msmtp sent with {mechanism}")
