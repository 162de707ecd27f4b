"""The module PostQuantum by its test program: ML-KEM and ML-DSA without the platforms around them."""

import subprocess


class Tool:
    """A running PostQuantumTool; one order at a time."""

    def __init__(self, program):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait(timeout=20)

    def ask(self, name, parameters, *arguments):
        """The words of the answer as bytes; text of an error is raised."""
        words = [name, parameters, *(argument.hex() or "-" for argument in arguments)]
        self.process.stdin.write(" ".join(words) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().rstrip("\n")
        if answer.startswith("error"):
            raise ValueError(answer)
        return [bytes.fromhex(word.replace("-", "")) for word in answer.split(" ")]

    def verifies(self, parameters, key, message, context, signature):
        words = ["dsa-verify", parameters, *(part.hex() or "-" for part in (key, message, context, signature))]
        self.process.stdin.write(" ".join(words) + "\n")
        self.process.stdin.flush()
        return {"1\n": True, "0\n": False}[self.process.stdout.readline()]
