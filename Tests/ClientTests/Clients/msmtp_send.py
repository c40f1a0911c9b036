"""msmtp asks oap for the token, and a mail server takes it if the API does."""

import pathlib
import subprocess

from mail import Mail, login, recipe, serve
from sandbox import expect

login()
settings = {"host": "127.0.0.1", "port": serve(Mail), "tls": "off"}
lines = recipe("account mail")
own = [f"{line.split()[0]} {settings.get(line.split()[0], line.partition(' ')[2])}" for line in lines]
config = pathlib.Path("msmtprc").absolute()
for mechanism in ["xoauth2", "oauthbearer"]:
    config.write_text("\n".join(own).replace("auth xoauth2", f"auth {mechanism}") + "\n")
    config.chmod(0o600)
    command = ["msmtp", "-C", config, "-a", "mail", "grace@example.org"]
    subprocess.run(command, input=b"Subject: hello\n\n" + mechanism.encode() + b"\n", check=True, timeout=30)
    expect(mechanism.encode() in Mail.received, f"a mail that msmtp sent with {mechanism}")
