"""mbsync, getmail, mutt and neomutt ask oap for the token, and an IMAP server takes it if the API does."""

import contextlib
import os
import pathlib
import pty
import re
import ssl
import subprocess

from mail import Conversation, Mail, knows, login, recipe, serve
from sandbox import expect

MESSAGE = "Message-ID: <1@example.org>\r\nSubject: hello\r\nFrom: grace@example.org\r\n\r\nwelcome\r\n"
CAPABILITIES = "IMAP4rev1 SASL-IR AUTH=XOAUTH2 AUTH=OAUTHBEARER"


class Mailbox(Conversation):
    """An IMAP server (RFC 3501) with one mail in its inbox."""

    heard = []

    def handle(self):
        self.say(f"* OK [CAPABILITY {CAPABILITIES}] ready")
        self.known = False
        while line := self.hear():
            tag, word, *rest = line.split(" ")
            self.heard.append(line if word.upper() != "AUTHENTICATE" else f"{tag} AUTHENTICATE {rest[0].upper()}")
            words = [word.upper()] + [part.upper() for part in rest]
            if words[0] == "CAPABILITY":
                self.say(f"* CAPABILITY {CAPABILITIES}")
            elif words[0] == "AUTHENTICATE":
                if len(rest) == 1:
                    self.say("+ ")
                    rest.append(self.hear())
                self.known = knows(rest[1])
                if not self.known:
                    self.say(f"{tag} NO unknown")
                    continue
            elif words[0] == "LOGOUT":
                self.say("* BYE")
                return self.say(f"{tag} OK")
            elif not self.known:
                self.say(f"{tag} BAD first AUTHENTICATE")
                continue
            else:
                self.answer(words)
            self.say(f"{tag} OK done")

    def answer(self, words):
        if words[0] in ("LIST", "LSUB"):
            self.say(f'* {words[0]} () "/" INBOX')
        elif words[0] in ("SELECT", "EXAMINE"):
            for text in ("FLAGS (\\Seen)", "1 EXISTS", "0 RECENT", "OK [UIDVALIDITY 1] ok", "OK [UIDNEXT 2] ok"):
                self.say(f"* {text}")
        elif words[0] == "STATUS":
            self.say("* STATUS INBOX (MESSAGES 1 RECENT 0 UNSEEN 1 UIDNEXT 2 UIDVALIDITY 1)")
        elif "FETCH" in words:
            self.fetch(" ".join(words))
        elif "SEARCH" in words:
            self.say("* SEARCH 1")

    def fetch(self, command):
        items = ["UID 1"]
        if "FLAGS" in command:
            items.append("FLAGS ()")
        if "RFC822.SIZE" in command:
            items.append(f"RFC822.SIZE {len(MESSAGE)}")
        if "INTERNALDATE" in command:
            items.append('INTERNALDATE "01-Nov-2026 10:00:00 +0000"')
        if match := re.search(r"(BODY)(?:\.PEEK)?(\[[^]]*\])|(RFC822|RFC822\.HEADER)(?=[ )]|$)", command):
            name = match[1] + match[2] if match[1] else match[3]
            text = MESSAGE.partition("\r\n\r\n")[0] + "\r\n\r\n" if "HEADER" in name else MESSAGE
            items.append(f"{name} {{{len(text)}}}\r\n{text}")
        self.say(f"* 1 FETCH ({' '.join(items)})")


def run_on_terminal(*command):
    """Runs a program on a terminal of its own."""
    controller, terminal = pty.openpty()
    with subprocess.Popen(
        ["timeout", "60", *command], stdin=terminal, stdout=terminal, stderr=terminal,
        env={**os.environ, "TERM": "xterm"}
    ) as program:
        os.close(terminal)
        # The end of the terminal is an error.
        with contextlib.suppress(OSError):
            while os.read(controller, 4096):
                pass
        os.close(controller)
    assert program.returncode == 0, f"{command[0]}: status {program.returncode}"


def used(mechanism):
    """Whether a login with this mechanism came since the last time."""
    heard = [line.split(" ", 1)[1] for line in Mailbox.heard]
    Mailbox.heard.clear()
    return f"AUTHENTICATE {mechanism}" in heard


login()
subprocess.run(
    "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost"
    " -keyout key.pem -out cert.pem", shell=True, check=True, stderr=subprocess.DEVNULL)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain("cert.pem", "key.pem")
port, here = serve(Mailbox, context), pathlib.Path.cwd()
certificate = here / "cert.pem"

account = [line.replace("imap.gmail.com", "localhost") for line in recipe("IMAPAccount mail")]
(here / "mbsyncrc").write_text("\n".join(account) + f"""
Port {port}
CertificateFile {certificate}

IMAPStore far
Account mail

MaildirStore near
Path {here}/near/
Inbox {here}/near/INBOX

Channel mail
Far :far:
Near :near:
Patterns INBOX
Create Near
SyncState *
""")
(here / "near").mkdir()
subprocess.run(["mbsync", "-c", "mbsyncrc", "mail"], check=True, timeout=60)
found = [path.read_text() for path in (here / "near/INBOX").glob("*/*") if path.is_file()]
expect(used("XOAUTH2") and any("welcome" in text for text in found), "a mail that mbsync fetched with XOAUTH2")

retriever = [line.replace("imap.gmail.com", "localhost") for line in recipe("[retriever]")]
(here / "getmailrc").write_text("\n".join(retriever) + f"""
port = {port}
ca_certs = {certificate}

[destination]
type = MDA_external
path = /bin/sh
arguments = ("-c", "cat > {here}/fetched")
allow_root_commands = True
""")
subprocess.run(["getmail", "--getmaildir", here, "--rcfile", "getmailrc"], check=True, timeout=60)
expect(used("XOAUTH2") and "welcome" in (here / "fetched").read_text(), "a mail that getmail fetched with XOAUTH2")

lines = recipe('set imap_authenticators="oauthbearer:xoauth2"')
sending = serve(Mail)
for program in ("mutt", "neomutt"):
    for mechanism in ("oauthbearer", "xoauth2"):
        own = "\n".join(lines).replace("oauthbearer:xoauth2", mechanism) + f"""
set from="ada@example.org" imap_user="ada@example.org" ssl_force_tls=no
set smtp_url="smtp://ada@example.org@127.0.0.1:{sending}/" certificate_file="{certificate}" ssl_starttls=no
set folder="{here}" header_cache= message_cachedir= wait_key=no quit=yes record= copy=no
"""
        (here / "muttrc").write_text(own)
        words = f"{program}-{mechanism}"
        command = [program, "-n", "-F", "muttrc", "-s", "hello", "grace@example.org"]
        subprocess.run(command, input=words.encode() + b"\n", check=True, timeout=60)
        expect(words.encode() in Mail.received, f"a mail that {program} sent with {mechanism}")
        run_on_terminal(program, "-n", "-F", "muttrc", "-e", "push x", "-f", f"imaps://localhost:{port}/INBOX")
        expect(used(mechanism.upper()), f"the mailbox that {program} opened with {mechanism}")
