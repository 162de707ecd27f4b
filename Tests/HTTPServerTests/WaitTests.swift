import Foundation
import HTTP
import Sockets
import Testing

@testable import HTTPServer

/// Answers that come later, and hold no thread until they do.
struct WaitTests {
    private let get = "GET /w HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test func `a waiting request is answered after a ring, and not on the thread that rings`() throws {
        let box = WaitBox()
        let server = try TestServer(box.respond)
        let client = try server.client()
        try client.send(get)
        #expect(eventually { server.server.figures.waiting == 1 })

        box.ring()
        #expect(eventually { box.questions == 1 })
        #expect(server.server.figures.waiting == 1)
        box.set("here")
        box.ring()

        #expect(try client.answer().body == "/w here")
        #expect(!box.threads.contains("\(pthread_self())"))
        #expect(box.listeners == 0)
        #expect(server.server.figures.waiting == 0)
        #expect(server.server.figures.answered == 1)
        #expect(try client.get("/next").body == "/next here")
    }

    @Test func `a ring between the handler's look and the parking is not lost`() throws {
        let box = WaitBox()
        let server = try TestServer { request in
            let response = box.respond(request)
            guard case .waiting(let wait) = response.body else { return response }
            // It rings while the connection is not parked yet, on the thread that parks it.
            return .waiting(
                Wait(
                    seconds: wait.seconds, ask: wait.ask, giveUp: wait.giveUp,
                    listen: { ring in
                        let stop = wait.listen(ring)
                        box.set("early")
                        box.ring()
                        return stop
                    }))
        }
        #expect(try server.client().get("/w").body == "/w early")
        #expect(box.lastQuestions == 0)
    }

    @Test func `without a ring the last question is asked when the time is over`() throws {
        let box = WaitBox(seconds: 0.05)
        let server = try TestServer(box.respond)
        let client = try server.client()
        let begun = System.uptime

        #expect(try client.get("/w").body == "/w nothing")

        #expect(System.uptime - begun >= 0.05)
        #expect(box.questions == 0 && box.lastQuestions == 1 && box.listeners == 0)
        #expect(try client.get("/again").body == "/again nothing")
    }

    @Test func `what time alone changes is looked at in time`() throws {
        let box = WaitBox(untilNext: 0.01)
        let server = try TestServer(box.respond)
        let client = try server.client()
        try client.send(get)

        #expect(eventually { box.questions >= 3 })
        box.set("by itself")

        #expect(try client.answer().body == "/w by itself")
        #expect(box.lastQuestions == 0)
    }

    @Test func `however often it rings, one pause lies between two questions`() throws {
        let box = WaitBox(pause: 0.05)
        let server = try TestServer(box.respond)
        let client = try server.client()
        try client.send(get)
        #expect(eventually { server.server.figures.waiting == 1 })

        let begun = System.uptime
        while box.questions < 3 { box.ring() }
        let took = System.uptime - begun
        box.set("here")
        box.ring()

        #expect(try client.answer().body == "/w here")
        #expect(took >= 0.1)
    }

    @Test func `answers keep the order of pipelined requests, and earlier ones do not wait`() throws {
        let box = WaitBox()
        let server = try TestServer { $0.path == "/w" ? box.respond($0) : TestServer.echo($0) }
        let client = try server.client()

        try client.send(
            "GET /first HTTP/1.1\r\nHost: a\r\n\r\n" + get
                + "POST /last HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbo")
        #expect(try client.answer().body == "GET\n/first\n")
        #expect(eventually { server.server.figures.waiting == 1 })
        try client.send("dy")
        #expect(server.server.figures.answered == 1)
        box.set("here")
        box.ring()

        #expect(try client.answer().body == "/w here")
        #expect(try client.answer().body == "POST\n/last\nbody")
    }

    @Test func `a client that goes is waited for no longer`() throws {
        let box = WaitBox()
        let server = try TestServer(box.respond)
        let clients = try (1...3).map { _ in try server.client() }
        for client in clients { try client.send(get) }
        #expect(eventually { server.server.figures.waiting == 3 })

        clients[0].socket.close()
        clients[1].socket.endWriting()

        #expect(eventually { server.server.figures.waiting == 1 && box.listeners == 1 })
        #expect(try clients[1].answer().body == "/w nothing", "it may have closed its direction alone")
        #expect(eventually { server.server.figures.connections <= 2 })
        box.set("here")
        box.ring()
        #expect(try clients[2].answer().body == "/w here")
    }

    @Test func `a server that stops answers those who wait at once`() throws {
        let box = WaitBox()
        let server = try TestServer(box.respond)
        let clients = try (1...20).map { _ in try server.client() }
        for client in clients { try client.send(get) }
        #expect(eventually { server.server.figures.waiting == 20 })

        let begun = System.uptime
        let stopper = try Sockets.Thread { server.server.stop(grace: 20) }
        for client in clients {
            let answer = try client.answer()
            #expect(answer.body == "/w nothing")
            #expect(answer.headers["connection"] == "close")
            #expect(try client.rest() == "")
        }
        stopper.join()

        #expect(System.uptime - begun < 10)
        #expect(box.listeners == 0)
        #expect(server.server.figures == ServerFigures())
    }

    @Test func `two thousand who wait take no thread and delay nobody`() throws {
        let box = WaitBox()
        let server = try TestServer { $0.path == "/w" ? box.respond($0) : TestServer.echo($0) }
        let fewest = server.server.figures.threads
        let clients = try (1...2000).map { _ in try server.client() }
        for client in clients { try client.send(get) }
        #expect(eventually { server.server.figures.waiting == 2000 })

        #expect(server.server.figures.threads <= fewest + 2)
        #expect(try server.client().get("/now").body == "GET\n/now\n")
        box.set("here")
        box.ring()
        for client in clients { #expect(try client.answer().body == "/w here") }
        #expect(box.questions == 2000 && box.listeners == 0)
    }

    @Test func `an answer may have to be waited for once more`() throws {
        let (first, second) = (WaitBox(), WaitBox())
        let server = try TestServer { request in
            let response = first.respond(request)
            guard case .waiting(let wait) = response.body else { return response }
            return .waiting(
                wait.finished { answer in
                    _ = try answer()
                    return second.respond(request)
                })
        }
        let client = try server.client()
        try client.send(get)
        #expect(eventually { first.listeners == 1 })
        first.set("one")
        first.ring()
        #expect(eventually { second.listeners == 1 && first.listeners == 0 })
        second.set("two")
        second.ring()

        #expect(try client.answer().body == "/w two")
    }

    @Test func `a question that fails is answered with 500`() throws {
        struct Broken: Error {}
        let box = WaitBox()
        let server = try TestServer(box.respond)
        let client = try server.client()
        try client.send(get)
        #expect(eventually { server.server.figures.waiting == 1 })
        box.fail(Broken())
        box.ring()

        #expect(try client.answer().status == 500)
        #expect(box.listeners == 0)
    }

    @Test func `HEAD, 1.0 and TLS wait alike`() throws {
        let box = WaitBox()
        let server = try TestServer(box.respond)
        let (head, old) = (try server.client(), try server.client())
        try head.send("HEAD /w HTTP/1.1\r\nHost: a\r\n\r\n")
        try old.send("GET /w HTTP/1.0\r\n\r\n")
        #expect(eventually { server.server.figures.waiting == 2 })
        box.set("here")
        box.ring()

        #expect(try head.answer(toHead: true).headers["content-length"] == "7")
        #expect(try old.answer().body == "/w here")
        #expect(try old.rest() == "")
    }
}
