import Essentials
import HTTP
import HTTPClient
import Platforms
import Sockets
import Testing

@testable import PlatformKit
@testable import Understudy

/// The program in one process: a server on a free port, and the commands that talk to it.
@Suite struct RunningServerTests {
    private func start(_ arguments: String...) throws -> RunningServer {
        let parser = ArgumentParser(command: Commands.serve, environment: [:])
        return try RunningServer(
            ServeSettings(parser.parse(["--port", "0"] + arguments)), Recorder().terminal)
    }

    private func withServer(_ arguments: [String] = [], _ body: (RunningServer, String) throws -> Void) throws
    {
        let parser = ArgumentParser(command: Commands.serve, environment: [:])
        let server = try RunningServer(
            ServeSettings(parser.parse(["--port", "0"] + arguments)), Recorder().terminal)
        defer { server.stop() }
        try body(server, "http://localhost:\(server.port)")
    }

    @Test func `the banner says what to paste where, and ends with the ready line`() throws {
        try withServer(["--seed", "7"]) { server, url in
            let port = server.port
            let lines = try Banner(server).text(Recorder().terminal).split(separator: "\n").map(String.init)

            #expect(lines.last == "ready http://localhost:\(port)")
            #expect(lines.contains { $0.hasPrefix("  Console ") && $0.hasSuffix(" \(url)/") })
            #expect(lines.contains { $0.hasSuffix(" \(url)/outbox") })
            #expect(lines.contains { $0.hasSuffix(" \(url)/_understudy/v1") })
            #expect(lines.contains { $0.hasSuffix("http://10.0.2.2:\(port)") })
            #expect(lines.contains { $0.contains("Seed") && $0.hasSuffix("7") })
            #expect(!lines.contains { $0.contains("Control token") || $0.contains("This network") })
            for platform in Platforms.all {
                for mount in platform.mountPaths {
                    #expect(
                        lines.contains {
                            $0.contains("\(url)/\(mount) ")
                                && $0.contains("http://\(mount).localhost:\(port)")
                        })
                }
            }
            let people = try #require(try server.worlds.world(Worlds.defaultName)).people.all()
            for person in people {
                #expect(lines.contains { $0.contains(person.email) && $0.contains(person.story) })
            }
        }
    }

    @Test func `the banner as JSON is one line that says the same`() throws {
        struct Facts: Decodable {
            let url: String
            let version: String
            let console: String
        }
        try withServer { server, url in
            let line = try JSONText.line(Banner(server))

            #expect(line.filter { $0 == "\n" }.count == 1)
            let facts = try JSONDecoder().decode(Facts.self, from: Data(line.utf8))
            #expect(facts.url == url)
            #expect(facts.version == "0.1.0")
            #expect(facts.console == url + "/")
        }
    }

    @Test func `beyond loopback there is a token of its own, which the control API asks for`() throws {
        try withServer(["--host", "0.0.0.0"]) { server, url in
            let token = try #require(server.controlToken)
            #expect(token.count >= 32)
            #expect(try Banner(server).text(Recorder().terminal).contains("Control token  \(token)\n"))
            #expect(try Banner(server).text(Recorder().terminal).contains("\(url)/?token=\(token)\n"))
            #expect(
                try Banner(server).quietText(isTokenNew: true) == "control token \(token)\nready \(url)\n")

            let refused = understudy("clock", "--url", url)
            #expect(refused.status == 1)
            #expect(refused.error.contains("UNDERSTUDY_CONTROL_TOKEN"))
            #expect(understudy("clock", "--url", url, "--control-token", token).status == 0)
        }
    }

    @Test func `a port in use is said in one line that names it and what to do`() throws {
        try withServer { server, _ in
            let error = #expect(throws: Failure.self) { try start("--port", "\(server.port)") }
            #expect(
                error?.message
                    == "port \(server.port) is in use; stop the other program or start with --port 0")
        }
    }

    @Test func `ready succeeds once somebody answers, and says who does not`() throws {
        var gone = ""
        try withServer { _, url in
            let (status, out, _) = understudy("ready", environment: ["UNDERSTUDY_URL": url])
            #expect(status == 0)
            #expect(out == "ready \(url)\n")
            gone = url
        }

        let refused = understudy("ready", "--url", gone)
        #expect(refused.status == 1)
        #expect(refused.error.hasPrefix("understudy: nothing answers at \(gone): "))
        #expect(refused.error.hasSuffix("; is `understudy serve` running?\n"))
        #expect(understudy("ready", "--url", gone, "--wait", "--timeout", "200ms").status == 1)
    }

    @Test func `the clock moves and stands as it is told`() throws {
        try withServer { _, url in
            #expect(
                understudy("clock", "freeze", "2026-12-24T18:00:00Z", "--url", url).out
                    == "2026-12-24T18:00:00.000Z  frozen\n")
            #expect(
                understudy("clock", "advance", "1h30m", "--url", url).out
                    == "2026-12-24T19:30:00.000Z  frozen\n")
            #expect(
                understudy("clock", "advance", "-90m", "--url", url).out
                    == "2026-12-24T18:00:00.000Z  frozen\n")
            #expect(
                understudy("clock", "set", "2027-01-01", "--url", url).out
                    == "2027-01-01T00:00:00.000Z  frozen\n")
            #expect(!understudy("clock", "release", "--url", url).out.contains("standing"))
            #expect(understudy("clock", "set", "soon", "--url", url).status == 2)
        }
    }

    @Test func `worlds are made, listed, reset and deleted`() throws {
        try withServer { _, url in
            #expect(understudy("world", "create", "blue", "--url", url).out.contains("\(url)/w/blue\n"))
            #expect(understudy("world", "--url", url).out.contains("\nblue "))
            #expect(understudy("clock", "--world", "blue", "--url", url).status == 0)
            #expect(understudy("world", "reset", "blue", "--url", url).status == 0)
            #expect(understudy("world", "delete", "blue", "--url", url).status == 0)
            let unknown = understudy("clock", "--world", "blue", "--url", url)
            #expect(unknown.status == 1)
            #expect(unknown.error.contains("There is no world “blue”"))
            #expect(understudy("world", "create", "Not A Name", "--url", url).status == 1)
        }
    }

    @Test func `code prints the code and nothing else, and outbox shows the mail`() throws {
        try withServer { server, url in
            let world = try #require(try server.worlds.world(Worlds.defaultName))
            try world.services.outbox.deliver(
                Message(
                    kind: "passcode", from: .init("noreply@example.com"),
                    to: .init("ada@example.com", name: "Ada"),
                    subject: "Your code\u{1B}[2J", text: "Your code is 123456", code: "123456",
                    source: "hanko"))
            try world.services.outbox.deliver(
                Message(
                    kind: "link", from: .init("noreply@example.com"), to: .init("lin@example.com"),
                    subject: "Go",
                    text: "Go", link: "https://x.example/?a=b", source: "hanko"))

            #expect(understudy("code", "ada@example.com", "--url", url).out == "123456\n")
            #expect(understudy("code", "lin@example.com", "--url", url).out == "https://x.example/?a=b\n")
            #expect(understudy("code", "ada@example.com", "--kind", "otp", "--url", url).status == 1)
            let list = understudy("outbox", "--url", url).out
            #expect(list.contains("ada@example.com") && list.contains("123456"))
            // A subject from anywhere must not command the terminal.
            #expect(!list.contains("\u{1B}"))
            #expect(understudy("outbox", "show", "1", "--url", url).out.hasSuffix("\nYour code is 123456\n"))
            #expect(understudy("outbox", "clear", "--url", url).status == 0)
            let none = understudy("code", "ada@example.com", "--url", url)
            #expect(none.status == 1)
            #expect(none.out.isEmpty)
            #expect(none.error.contains("ada@example.com"))
        }
    }

    @Test func `code waits for a message that is still to come`() throws {
        try withServer { server, url in
            let world = try #require(try server.worlds.world(Worlds.defaultName))
            let sender = try Thread {
                // Sent once somebody waits; in any case after a while.
                let deadline = System.uptime + 5
                while !world.isWatched, System.uptime < deadline { Process.pause(seconds: 0.01) }
                try? world.services.outbox.deliver(
                    Message(
                        kind: "passcode", from: .init("n@example.com"), to: .init("ada@example.com"),
                        subject: "x",
                        text: "x", code: "654321", source: "hanko"))
            }
            let (status, out, _) = understudy("code", "ada@example.com", "--wait", "20s", "--url", url)
            sender.join()

            #expect(status == 0)
            #expect(out == "654321\n")
        }
    }

    @Test func `an export is what serve would load, and loading it gives the same export`() throws {
        try withFolder { folder in
            let file = folder + "/state.json"
            try withServer { _, url in
                #expect(understudy("fixtures", "export", "-o", file, "--url", url).status == 0)
            }
            try withServer(["--fixtures", file]) { _, url in
                #expect(
                    understudy("fixtures", "export", "--url", url).out.utf8.elementsEqual(
                        FileManager.default.contents(atPath: file) ?? Data()))
            }
        }
    }

    @Test func `a stop sends home who waits and leaves the port free`() throws {
        let server = try start()
        let url = "http://localhost:\(server.port)/_understudy/v1/outbox?wait=60"
        let world = try #require(try server.worlds.world(Worlds.defaultName))
        let waiter = try Thread { _ = try? HTTPClient(timeout: 60).send(.get, url) }
        let limit = System.uptime + 5
        while !world.isWatched, System.uptime < limit { Process.pause(seconds: 0.01) }

        let begin = System.uptime
        server.stop()
        let took = System.uptime - begin
        waiter.join()

        #expect(took < RunningServer.grace)
        let next = try start("--port", "\(server.port)")
        next.stop()
    }

    @Test func `mails go to the folder and to the relay`() throws {
        let relay = try MailServer()
        try withFolder { folder in
            try withServer(["--outbox-dir", folder, "--smtp-relay", "127.0.0.1:\(relay.port)"]) { server, _ in
                let world = try #require(try server.worlds.world(Worlds.defaultName))
                try world.services.outbox.deliver(
                    Message(
                        kind: "", from: .init("n@example.com"), to: .init("ada@example.com"),
                        subject: "Hello Ada",
                        text: "x", source: "hanko"))

                #expect(relay.heard.contains("Subject: Hello Ada"))
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1)
            }
        }
    }

    @Test func `a command finds the server and its platforms in the environment`() throws {
        try withServer { server, url in
            let variables = Exec.variables(try Banner(server))

            #expect(variables["UNDERSTUDY_URL"] == url)
            for mount in Platforms.all.flatMap({ $0.mountPaths }) {
                let name = "UNDERSTUDY_\(mount.uppercased().replacing("-", with: "_"))_URL"
                #expect(variables[name] == "\(url)/\(mount)")
            }
        }
    }
}
