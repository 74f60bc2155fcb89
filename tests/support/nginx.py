"""A real nginx with a configuration of deploy/, as a process of its own that writes below a folder of its own."""

import os
import shutil
import subprocess
from pathlib import Path

from host_process import HostProcess, free_port

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
# What /etc/nginx/nginx.conf is on a machine. Root's nginx else gives its workers to a user who may not read here.
MAIN = """{user}
daemon off; worker_processes 1; pid nginx.pid; error_log error.log;
events {{ worker_connections 512; }}
http {{
    include /etc/nginx/mime.types;
    default_type application/octet-stream;
    client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi;
    scgi_temp_path scgi;
    include site.conf;
}}
"""


def changed(text: str, changes: dict[str, str]) -> str:
    """The text with each of these put in the place of another, which has to be there once."""
    for old, new in changes.items():
        assert text.count(old) == 1, f"{old!r} is there {text.count(old)} times"
        text = text.replace(old, new)
    return text


class Nginx(HostProcess):
    """`with Nginx(text, folder) as nginx:` answers at `nginx.url` as the text says, which listens on port 8080."""

    def __init__(self, text: str, folder: Path):
        # Debian keeps it where only root looks.
        program = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
        assert program, "No nginx for the tests. Run: python tools/programs.py"
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        folder.mkdir(exist_ok=True)
        (folder / "nginx.conf").write_text(MAIN.format(user="user root;" if os.geteuid() == 0 else ""))
        text = changed(text, {"listen 8080;": f"listen 127.0.0.1:{port};"})
        (folder / "site.conf").write_text(text.replace("/var/log/nginx/", f"{folder}/"))
        command = [program, "-p", f"{folder}/", "-c", f"{folder}/nginx.conf", "-e", "error.log"]
        done = subprocess.run([*command, "-t"], capture_output=True, text=True, check=False)
        self.told = done.stderr
        assert done.returncode == 0, self.told
        super().__init__(command, home=folder, env={}, asks=f"{self.url}/")
