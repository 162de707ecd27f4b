import HTTP
import Testing

@testable import HTTPClient

/// How a client opens a web socket. Key and proof are those of RFC 6455 §1.3.
struct WebSocketTests {
    private static let asked: Headers = [
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Protocol": "chat, superchat",
    ]
    private static let mask = ClientWebSocket.Mask { 0x37FA_213D }

    private func answer(_ fields: String, _ rest: [ScriptedServer.Step] = []) throws
        -> (HTTPClient.WebSocketAnswer, ScriptedServer)
    {
        let server = try ScriptedServer([.send("HTTP/1.1 101 Switching Protocols\r\n\(fields)\r\n")] + rest)
        let client = HTTPClient(timeout: 5)
        return (try client.webSocket(server.url + "/chat", headers: Self.asked, mask: Self.mask), server)
    }

    private static let agreement =
        "Upgrade: WebSocket\r\nConnection: keep-alive, Upgrade\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"

    @Test func `a server agrees`() throws {
        let (answer, server) = try answer(
            Self.agreement + "Sec-WebSocket-Protocol: superchat\r\nSet-Cookie: a=1\r\n", [.hold])

        guard case .agreed(let socket) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(socket.subprotocol == "superchat" && socket.headers["Set-Cookie"] == "a=1")
        #expect(server.requests.first?.asksForWebSocket == true)
        #expect(server.requests.first?.headers["Host"] == "127.0.0.1:\(server.port)")
        // The server hears the end.
        socket.close(WebSocketClose(.abnormal))
        server.awaitWord()
    }

    @Test(arguments: [
        ("Sec-WebSocket-Extensions: permessage-deflate\r\n", "extension that nobody offered"),
        ("Sec-WebSocket-Protocol: mqtt\r\n", "subprotocol that nobody offered"),
        ("Sec-WebSocket-Protocol: chat\r\nSec-WebSocket-Protocol: chat\r\n", "subprotocol"),
        ("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n", "not the answer to the key"),
    ])
    func `what nobody asked for is not agreed to`(field: String, words: String) throws {
        let error = #expect(throws: ClientError.self) { _ = try answer(Self.agreement + field, [.hold]) }
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    }

    @Test(arguments: [
        ("Upgrade: WebSocket", "Upgrade: h2c"), ("keep-alive, Upgrade", "keep-alive"),
        ("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", "s3pPLMBiTxaQ9kYGzzhZRbK+xOO="),
    ])
    func `an agreement with one thing changed is none`(part: String, other: String) throws {
        #expect(throws: ClientError.self) {
            _ = try answer(Self.agreement.replacing(part, with: other), [.hold])
        }
    }

    @Test func `any other answer is an answer`() throws {
        let server = try ScriptedServer([.send("HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno")])

        let answer = try HTTPClient(timeout: 5).webSocket(server.url, headers: Self.asked, mask: Self.mask)

        guard case .refused(let stream) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(stream.status == .forbidden)
        #expect(try stream.next() == Array("no".utf8))
    }
}
