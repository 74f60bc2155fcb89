"""The files of deploy/: what checks such files takes them, and what they name is there in the app."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import warnings
from pathlib import Path

import pytest
import yaml

from app.cli import _parser
from app.limits import Limits, limits_from
from app.serve_command import SPARE_FILES
from app.server import make_app

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
MANIFESTS = {item["kind"]: item for item in yaml.safe_load_all((DEPLOY / "kubernetes.yaml").read_text())}
UNIT = (DEPLOY / "attention-lessons@.service").read_text()
NGINX = (DEPLOY / "nginx.conf").read_text()
POD = MANIFESTS["Deployment"]["spec"]["template"]["spec"]
(CONTAINER,) = POD["containers"]
REPLICAS = {name: service for name, service in COMPOSE["services"].items() if name != "nginx"}
COMMANDS = {
    "kubernetes": CONTAINER["command"],
    "systemd": shlex.split(re.search(r"^ExecStart=(.*)$", UNIT, re.MULTILINE)[1].replace("%i", "5007")),
    **{name: service["command"] for name, service in REPLICAS.items()},
}


def serving(name):
    """What a command asks `serve` for; the parser refuses what it does not know."""
    command = COMMANDS[name]
    assert command[1:4] == ["-m", "app", "serve"]
    return _parser().parse_args(command[3:])


def seconds(text, name):
    return int(re.search(rf"\b{name} (\d+)s;", text)[1])


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_is_one_of_the_app(name):
    arguments = serving(name)
    limits_from(arguments.limit)
    assert arguments.log_format == "json"
    # Alone on a machine only nginx beside it asks; in a container it is asked from outside.
    assert arguments.address == ("127.0.0.1" if name == "systemd" else "0.0.0.0")
    assert bool(arguments.proxy) == (name != "systemd")


def test_every_address_that_is_asked_is_one_of_the_app(monkeypatch):
    monkeypatch.setattr("app.server.warm_up", lambda *_: None)
    routes = [rule.matcher.regex for rule in make_app().wildcard_router.rules]
    probes = [CONTAINER[name]["httpGet"] for name in ("startupProbe", "readinessProbe", "livenessProbe")]
    assert [probe["path"] for probe in probes] == ["/healthz", "/readyz", "/healthz"]
    health = COMPOSE["services"]["nginx"]["healthcheck"]["test"][-1]
    paths = [*(probe["path"] for probe in probes), re.fullmatch(r"http://127\.0\.0\.1:8080(/.*)", health)[1]]
    locations = re.findall(r"^    location (?:= )?(/\S*) ", NGINX, re.MULTILINE)
    assert len(locations) == 5
    for path in paths + [f"{path}training-race" if path.endswith("s/") else path for path in locations]:
        path = f"{path}x" if path.endswith("/static/") else path
        assert any(route.fullmatch(path) for route in routes), path


def test_ports_and_networks_fit_together():
    (network,) = COMPOSE["networks"]["inside"]["ipam"]["config"]
    names = re.findall(r"^    server (\w+):(\d+) ", NGINX, re.MULTILINE)
    assert names == [(name, str(serving(name).port)) for name in REPLICAS]
    for name in REPLICAS:
        assert [str(proxy) for proxy in serving(name).proxy] == [network["subnet"]]
    (port,) = CONTAINER["ports"]
    assert port == {"name": "http", "containerPort": serving("kubernetes").port}
    (service,) = MANIFESTS["Service"]["spec"]["ports"]
    assert service["targetPort"] == "http"


def test_times_and_limits_fit_together():
    limits = Limits()
    # nginx lets go of a connection before the replica does, and waits longer than any answer takes.
    upstream, server = NGINX.split("\nserver {")
    races = server.partition("location /races/")[2]
    assert seconds(upstream, "keepalive_timeout") < limits.idle_seconds
    assert seconds(races, "proxy_read_timeout") > limits.answer_seconds
    assert int(re.search(r"large_client_header_buffers 4 (\d+)k", NGINX)[1]) * 1024 > limits.link_bytes
    open_files = [int(re.search(r"^LimitNOFILE=(\d+)$", UNIT, re.MULTILINE)[1])]
    open_files += [service["ulimits"]["nofile"] for service in REPLICAS.values()]
    assert min(open_files) >= limits.connections + SPARE_FILES
    drain = limits_from(serving("kubernetes").limit).drain_seconds
    assert 0 < drain <= POD["terminationGracePeriodSeconds"] - 5


def test_containers_may_do_nothing_but_run():
    user, group = re.search(r"^USER (\d+):(\d+)$", (ROOT / "Dockerfile").read_text(), re.MULTILINE).groups()
    security = POD["securityContext"]
    assert (security["runAsUser"], security["runAsGroup"], security["runAsNonRoot"]) == (int(user), int(group), True)
    assert CONTAINER["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    for service in COMPOSE["services"].values():
        assert service["read_only"] and service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]
        assert service["deploy"]["resources"]["limits"].keys() == {"cpus", "memory", "pids"}


@pytest.mark.hosts
def test_compose_takes_its_file():
    from compose_spec import PyCompose

    # YAML's own merging is done before, as compose does it.
    read = PyCompose.from_yaml(yaml.safe_dump(COMPOSE))
    assert sorted(read.service_names()) == ["nginx", "web1", "web2"]
    wrong = yaml.safe_dump(COMPOSE).replace("read_only", "readonly")
    with pytest.raises(ValueError, match="readonly"):
        PyCompose.from_yaml(wrong)


@pytest.mark.hosts
@pytest.mark.parametrize("kind", MANIFESTS)
def test_kubernetes_takes_its_manifest(kind):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its way of finding schemas is an old one
        import kubernetes_validate

        for version in ("1.30", kubernetes_validate.latest_version()):
            kubernetes_validate.validate(MANIFESTS[kind], version, strict=True)
            with pytest.raises(kubernetes_validate.ValidationError):
                kubernetes_validate.validate(MANIFESTS[kind] | {"specs": {}}, version, strict=True)


@pytest.mark.hosts
def test_systemd_takes_its_unit_and_finds_little_exposed(tmp_path):
    assert shutil.which("systemd-analyze"), "No systemd for the tests. Run: python tools/programs.py"

    def analyze(text, *arguments):
        unit = tmp_path / "attention-lessons@5006.service"
        unit.write_text(text.replace("/opt/attention-lessons/bin/python", sys.executable))
        command = ["systemd-analyze", *arguments, str(unit)]
        return subprocess.run(
            command, env=os.environ | {"LC_ALL": "C"}, capture_output=True, text=True, timeout=60, check=False
        )

    told = analyze(UNIT, "verify")
    assert (told.returncode, told.stdout + told.stderr) == (0, "")
    assert "Unknown key" in analyze(UNIT.replace("MemoryMax", "MemoryMost"), "verify").stderr
    # Of 0 to 10, in tenths; a plain service has 9.6.
    assert analyze(UNIT, "security", "--offline=true", "--threshold=15").returncode == 0
    assert analyze("[Service]\nExecStart=/bin/true\n", "security", "--offline=true", "--threshold=15").returncode == 1
