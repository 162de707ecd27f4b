"""The examples for Testcontainers in the documentation. There is no Docker here: its classes are small stand-ins with the names that the
libraries have, whose container is the program under test."""

import json
import subprocess
import sys

import pytest

from compilers import JUNIT, compile_java, compile_kotlin, java_command, kotlin_library, run_tool, tool
from snippets import blocks_of
from understudy import plain_environment, run

PYTHON = {
    "testcontainers/core/container.py": '''
import os, urllib.request
class DockerContainer:
    def __init__(self, image): self.image, self.environment = image, {}
    def with_exposed_ports(self, *ports): self.ports = ports; return self
    def with_env(self, name, value): self.environment[name] = value; return self
    def waiting_for(self, strategy): self.strategy = strategy; return self
    def __enter__(self):
        assert self.ports == (8420,) and self.environment == {"UNDERSTUDY_CONTROL_TOKEN": "development"}
        assert urllib.request.urlopen(os.environ["CONTAINER"] + self.strategy.path).status == 200
    def __exit__(self, *failure): pass
    def get_container_host_ip(self): return "localhost"
    def get_exposed_port(self, port): return os.environ["CONTAINER"].rsplit(":", 1)[1]
''',
    "testcontainers/core/wait_strategies.py": "class HttpWaitStrategy:\n    def __init__(self, port, path=None): self.path = path\n",
}
NODE = '''
import assert from "node:assert/strict";
const address = new URL(process.env.CONTAINER);
export const Wait = { forHealthCheck: () => "health" };
export class GenericContainer {
    withExposedPorts(port) { this.port = port; return this; }
    withEnvironment(environment) { this.environment = environment; return this; }
    withWaitStrategy(strategy) { this.strategy = strategy; return this; }
    async start() {
        assert.deepEqual([this.port, this.environment, this.strategy], [8420, { UNDERSTUDY_CONTROL_TOKEN: "development" }, "health"]);
        return { getHost: () => address.hostname, getMappedPort: () => Number(address.port) };
    }
}
'''
JAVA = {
    "GenericContainer.java": '''
class GenericContainer<Self> {
    private int port; private String token, strategy;
    GenericContainer(String image) {}
    GenericContainer<Self> withExposedPorts(int port) { this.port = port; return this; }
    GenericContainer<Self> withEnv(String name, String value) { token = name + "=" + value; return this; }
    GenericContainer<Self> waitingFor(String strategy) { this.strategy = strategy; return this; }
    void start() { if (!(port + token + strategy).equals("8420UNDERSTUDY_CONTROL_TOKEN=developmenthealth")) throw new IllegalStateException(token); }
    String getHost() { return "localhost"; }
    int getMappedPort(int port) { return java.net.URI.create(System.getenv("CONTAINER")).getPort(); }
}
''',
    "Wait.java": 'class Wait { static String forHealthcheck() { return "health"; } }',
}

#: The bound of its parameter is the library's own: what Kotlin infers from it is half of the example.
BOUND = {
    "testcontainers/GenericContainer.java": """
package testcontainers;
public class GenericContainer<SELF extends GenericContainer<SELF>> {
    private Integer port; private String token, strategy;
    public GenericContainer(String image) {}
    @SuppressWarnings("unchecked") private SELF self() { return (SELF) this; }
    public SELF withExposedPorts(Integer... ports) { port = ports[0]; return self(); }
    public SELF withEnv(String name, String value) { token = name + "=" + value; return self(); }
    public SELF waitingFor(String strategy) { this.strategy = strategy; return self(); }
    public void start() { if (!(port + token + strategy).equals("8420UNDERSTUDY_CONTROL_TOKEN=developmenthealth")) throw new IllegalStateException(token); }
    public String getHost() { return "localhost"; }
    public Integer getMappedPort(int port) { return java.net.URI.create(System.getenv("CONTAINER")).getPort(); }
}
""",
    "testcontainers/Wait.java": 'package testcontainers; public class Wait { public static String forHealthcheck() { return "health"; } }',
}


def example(language):
    [text] = [block.text for block in blocks_of("ci.md") if block.heading == "With Testcontainers" and block.language == language]
    return text


@pytest.fixture
def environment(start, tmp_path):
    server = start("--host", "0.0.0.0", "--control-token", "development")
    return plain_environment(CONTAINER=server.url.replace("127.0.0.1", "localhost"), HOME=str(tmp_path))


def write(folder, files):
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def test_python(environment, tmp_path):
    write(tmp_path, PYTHON | {"understudy.py": run("helper", "python").stdout, "example.py": example("py") + "print(world.urls['hanko'])\n"})
    said = run_tool([sys.executable, "example.py"], cwd=tmp_path, env=environment)
    assert said.startswith(environment["CONTAINER"] + "/w/w-")


def test_node(environment, tmp_path):
    write(tmp_path, {
        "node_modules/testcontainers/package.json": json.dumps({"name": "testcontainers", "type": "module", "exports": "./index.js"}),
        "node_modules/testcontainers/index.js": NODE, "understudy.mjs": run("helper", "javascript").stdout,
        "example.mjs": example("js") + "console.log(world.urls.hanko);\n"})
    assert run_tool([tool("node"), "example.mjs"], cwd=tmp_path, env=environment).startswith(environment["CONTAINER"] + "/w/w-")


def test_java(environment, tmp_path):
    body = example("java").replace("new Understudy(", "new understudy.Understudy(")
    write(tmp_path, JAVA | {
        "Understudy.java": run("helper", "java").stdout,
        "Example.java": "class Example {\n    public static void main(String... arguments) {\n" + body + 'System.out.println(world.urls().get("hanko"));\n}\n}\n'})
    classes = compile_java(*(tmp_path / name for name in (*JAVA, "Understudy.java", "Example.java")), classpath=[JUNIT], options=())
    told = subprocess.run(java_command([JUNIT, classes], "Example"), capture_output=True, text=True, env=environment)
    assert told.stdout.startswith(environment["CONTAINER"] + "/w/w-"), told


def test_kotlin(environment, tmp_path):
    write(tmp_path, BOUND | {
        "Understudy.kt": run("helper", "kotlin").stdout,
        "Example.kt": "import testcontainers.*\nimport understudy.Understudy\n\nfun main() {\n" + example("kt") + 'println(world.urls["hanko"])\n}\n'})
    library = compile_java(*(tmp_path / name for name in BOUND), options=())
    classes = compile_kotlin(tmp_path / "Understudy.kt", tmp_path / "Example.kt", classpath=[JUNIT, library])
    told = subprocess.run(java_command([JUNIT, kotlin_library(), library, classes], "ExampleKt"), capture_output=True, text=True, env=environment)
    assert told.stdout.startswith(environment["CONTAINER"] + "/w/w-"), told
