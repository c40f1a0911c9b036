"""What the benchmarks talk to: nginx with static bodies, plain and over TLS with HTTP/2, and oap-sandbox."""

import json
import os
import pathlib
import shutil
import socket
import subprocess

PAGES, PER_PAGE = 100, 100


def nginx_program():
    """nginx, from Debian's package, which is unpacked and not installed: it would start a service."""
    installed = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
    if installed:
        return installed
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "oap-tests" / "nginx"
    program = cache / "usr/sbin/nginx"
    if not program.exists():
        cache.mkdir(parents=True, exist_ok=True)
        subprocess.run(["apt-get", "download", "-qq", "-o", "APT::Sandbox::User=root", "nginx"], cwd=cache, check=True)
        subprocess.run(["dpkg", "--extract", *map(str, cache.glob("nginx_*.deb")), "."], cwd=cache, check=True)
    return str(program)


def write_array(file, text, count, is_ascii):
    """An array of so many elements as APIs have them."""
    text = json.dumps(text, ensure_ascii=is_ascii)[1:-1]
    with open(file, "w", encoding="utf-8") as output:
        for number in range(count):
            user = number % 97
            output.write(
                f'{"," if number else "["}{{"id":{number},"name":"{text} {number}","full_name":"ada/{text} {number}",'
                f'"private":{"false" if number % 3 else "true"},"owner":{{"login":"user{user}","id":{user},'
                f'"type":"User","site_admin":false}},"html_url":"https://api.example/ada/{number}",'
                f'"description":"{text} description {number}","stars":{number % 1000},"topics":["one","two"]}}')
        output.write("]")


def write_bodies(folder):
    """The static bodies: arrays of 66 MB in English (as NDJSON too), in Cyrillic and escaped, and small ones."""
    cyrillic = "хранилище исходного кода"
    write_array(folder / "large.json", "repository", 250_000, False)
    elements = (folder / "large.json").read_text()[1:-1].replace('},{"id":', '}\n{"id":')
    (folder / "large.ndjson").write_text(f"{elements}\n")
    write_array(folder / "cyrillic.json", cyrillic, 166_000, False)
    write_array(folder / "escaped.json", cyrillic, 99_000, True)
    write_array(folder / "list.json", "repository", 100, False)
    (folder / "small.json").write_text('{"id":1,"name":"repository 1","owner":{"login":"ada"}}')
    with open(folder / "gigabyte", "wb") as file:
        file.truncate(1 << 30)
    for page in range(1, PAGES + 1):
        write_array(folder / f"page{page}.json", f"page {page}", PER_PAGE, False)


def free_port():
    """A port that is free now."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


class Nginx:
    """nginx on two ports: `url` and, with TLS and HTTP/2, `tls_url`, whose certificate is `certificate`."""

    def __init__(self, folder):
        self.bodies = bodies = folder / "bodies"
        bodies.mkdir()
        write_bodies(bodies)
        self.certificate = folder / "certificate.pem"
        key = folder / "key.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout",
             key, "-out", self.certificate, "-days", "2", "-subj", "/CN=localhost", "-addext",
             "subjectAltName=IP:127.0.0.1"], check=True, capture_output=True)
        port, tls_port = free_port(), free_port()
        self.url, self.tls_url = f"http://127.0.0.1:{port}", f"https://127.0.0.1:{tls_port}"
        links = "".join(
            f"location = /page{page}.json {{ add_header Link '<{self.url}/page{page + 1}.json>; rel=\"next\"'; }}\n"
            for page in range(1, PAGES))
        user = "user root;" if os.geteuid() == 0 else ""
        temporary = "".join(
            f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        configuration = folder / "nginx.conf"
        configuration.write_text(f"""
            {user} daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log; worker_processes 2;
            events {{ worker_connections 1024; }}
            http {{
                {temporary} access_log off; sendfile on; keepalive_requests 10000000;
                types {{ application/json json; application/x-ndjson ndjson; }}
                server {{
                    listen 127.0.0.1:{port};
                    listen 127.0.0.1:{tls_port} ssl http2;
                    ssl_certificate {self.certificate}; ssl_certificate_key {key};
                    root {bodies};
                    {links}
                }}
            }}""")
        self.process = subprocess.Popen(
            [nginx_program(), "-p", folder, "-c", configuration], stderr=subprocess.DEVNULL)
        while self.process.poll() is None:
            with socket.socket() as client:
                if client.connect_ex(("127.0.0.1", tls_port)) == 0:
                    return
        raise RuntimeError((folder / "error.log").read_text())

    def stop(self):
        self.process.terminate()
        self.process.wait()


class Sandbox:
    """oap-sandbox, and an access token of it."""

    def __init__(self, build):
        self.process = subprocess.Popen(
            [build / "oap-sandbox"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.document = self.process.stdout.readline()
        self.api = json.loads(self.document)["api_base"]
        answer = subprocess.run(
            [build / "oap", "exchange", "--grant", "client_credentials"], input=self.document, capture_output=True,
            text=True, check=True)
        self.token = json.loads(answer.stdout)["access_token"]

    def stop(self):
        self.process.terminate()
        self.process.wait()
