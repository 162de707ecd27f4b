"""The files that others start us with: checked against the published schemas of those who read them."""

import re
import subprocess
import sys
from itertools import takewhile
from pathlib import Path

import json5
import pytest
import yaml

from understudy import ROOT, run


def check(schema, file):
    checked = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, str(file)], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout


def test_the_compose_file_is_one():
    check("vendor.compose-spec", ROOT / "docker-compose.yml")
    service = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]["understudy"]
    assert all(port.startswith("127.0.0.1:") for port in service["ports"])


def test_the_workflow_in_the_documentation_is_one(tmp_path):
    page = (ROOT / "Web/docs/ci.md").read_text()
    [workflow] = re.findall(r"```yaml\n(on:.*?)```", page, re.DOTALL)
    (tmp_path / "workflow.yml").write_text(workflow)
    check("vendor.github-workflows", tmp_path / "workflow.yml")


def test_the_dev_container_has_the_compiler_of_the_image():
    # Comments are allowed in it.
    container = json5.loads((ROOT / ".devcontainer/devcontainer.json").read_text())
    assert f"FROM {container['image']} AS build" in (ROOT / "Dockerfile").read_text()
    assert "script/bootstrap" in container["onCreateCommand"] and (ROOT / "script/bootstrap").exists()


def test_the_pipeline_for_gitlab_is_one(tmp_path):
    page = (ROOT / "Web/docs/ci.md").read_text()
    [pipeline] = re.findall(r"## In GitLab CI\n.*?```yaml\n(.*?)```", page, re.DOTALL)
    (tmp_path / ".gitlab-ci.yml").write_text(pipeline)
    check("vendor.gitlab-ci", tmp_path / ".gitlab-ci.yml")


@pytest.mark.parametrize("workflow", ["ci.yml", "release.yml"])
def test_our_workflows_have_no_mistake_and_run_scripts_of_ours(workflow):
    file = ROOT / ".github/workflows" / workflow
    check("vendor.github-workflows", file)
    linter = Path(sys.executable).with_name("actionlint")
    linted = subprocess.run([linter, "-no-color", file], capture_output=True, text=True, cwd=ROOT)
    assert (linted.returncode, linted.stdout) == (0, ""), linted
    for job in yaml.safe_load(file.read_text())["jobs"].values():
        for step in job["steps"]:
            program = step.get("run", "gh").split()[0]
            assert program in ("gh", "swift") or (ROOT / program).exists(), step


def test_the_image_is_built_from_what_bootstrap_installs():
    dockerfile = (ROOT / "Dockerfile").read_text()
    bootstrap = (ROOT / "script/bootstrap").read_text()
    [libraries] = re.findall(r'want "(lib[^"]*-dev [^"]*)"', bootstrap)
    for package in libraries.split():
        assert package in dockerfile


def test_the_container_runs_without_privileges_and_can_tell_its_health():
    dockerfile = (ROOT / "Dockerfile").read_text()
    assert re.search(r"^USER \d+", dockerfile, re.MULTILINE)
    assert re.search(r'HEALTHCHECK .*\n?.*CMD \["[^"]*understudy", "ready"\]', dockerfile)
    assert run("help", "ready").returncode == 0


@pytest.mark.parametrize("script", sorted(path for path in (ROOT / "script").iterdir() if path.stat().st_mode & 0o100), ids=lambda path: path.name)
def test_a_script_says_what_it_does_and_does_nothing_else(script, tmp_path):
    told = subprocess.run([script, "--help"], capture_output=True, text=True, cwd=tmp_path, timeout=20)
    _, *lines = script.read_text().splitlines()
    comment = [line.removeprefix("#").removeprefix(" ") for line in takewhile(lambda line: line.startswith("#"), lines)]
    said = "\n".join(comment) or script.read_text().split('"""')[1]
    assert (told.returncode, told.stderr) == (0, "")
    assert said.strip() in told.stdout and not any(tmp_path.iterdir())
