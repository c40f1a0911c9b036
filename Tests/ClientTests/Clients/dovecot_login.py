"""Dovecot asks the sandbox by introspection whose token it is, with the three mechanisms that can carry one."""

import getpass
import grp
import imaplib
import os
import pathlib
import pwd
import subprocess

from sandbox import SANDBOX, expect
from server import free_port, running

here, port = pathlib.Path.cwd(), free_port()
user, group = getpass.getuser(), grp.getgrgid(os.getgid()).gr_name
endpoint = SANDBOX["introspection_endpoint"].replace("://", f"://{SANDBOX['client_id']}:{SANDBOX['client_secret']}@")
(here / "oauth2.conf").write_text(f"""
introspection_mode = post
introspection_url = {endpoint}
username_attribute = username
active_attribute = active
active_value = true
""")
# What talks to strangers, and who owns the mail, must not be root; only root can change the root folder.
root = os.getuid() == 0
owner = pwd.getpwnam("dovenull") if root else pwd.getpwuid(os.getuid())
chroot = "" if root else "chroot ="
(here / "dovecot.conf").write_text(f"""
base_dir = {here}/run
state_dir = {here}
log_path = /dev/stderr
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
auth_mechanisms = xoauth2 oauthbearer plain
auth_failure_delay = 0
mail_location = maildir:/nonexistent
first_valid_uid = 1
default_internal_user = {user}
default_internal_group = {group}
default_login_user = {owner.pw_name}
passdb {{
  driver = oauth2
  mechanisms = xoauth2 oauthbearer plain
  args = {here}/oauth2.conf
}}
userdb {{
  driver = static
  args = uid={owner.pw_uid} gid={owner.pw_gid} home=/nonexistent
}}
service imap-login {{
  {chroot}
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
service anvil {{
  {chroot}
  # No delay after a failure.
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service stats {{
  {chroot}
}}
""")


def enters(log_in):
    """Whether Dovecot lets in with this login; there is no mail to read."""
    with imaplib.IMAP4("127.0.0.1", port, timeout=20) as mailbox:
        try:
            log_in(mailbox)
        except imaplib.IMAP4.error:
            return False
        return mailbox.noop()[0] == "OK"


def xoauth2(token):
    return lambda mailbox: mailbox.authenticate(
        "XOAUTH2", lambda challenge: b"" if challenge else f"user=ada\1auth=Bearer {token}\1\1".encode())


def oauthbearer(token):
    return lambda mailbox: mailbox.authenticate(
        "OAUTHBEARER", lambda challenge: b"\1" if challenge else f"n,a=ada,\1auth=Bearer {token}\1\1".encode())


def plain(token):
    return lambda mailbox: mailbox.login("ada", token)


subprocess.run(["oap", "login", "mail", "--issuer", SANDBOX["issuer"], "--open"], check=True)
token = subprocess.run(["oap", "token", "mail"], check=True, capture_output=True, text=True).stdout.strip()
with running(["dovecot", "-F", "-c", here / "dovecot.conf"], port):
    expect(enters(xoauth2(token)), "XOAUTH2")
    expect(enters(oauthbearer(token)), "OAUTHBEARER")
    expect(enters(plain(token)), "the token as a password")
    expect(not any(enters(way("another")) for way in (xoauth2, oauthbearer, plain)), "no other token")
