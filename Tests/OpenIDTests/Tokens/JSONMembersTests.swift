import Essentials
import Testing

@Suite struct JSONObjectWriterTests {
    private struct Shape: Decodable, Equatable {
        let aud: [String]
        let iss: String
        let ver: Int
        let act: String?
    }

    @Test(arguments: ["plain", "", "a \"quote\"", #"back\slash"#, "line\nend\u{1}", "grüße 🙂 \u{2028}"])
    func `what is written member by member is JSON of the same content`(_ text: String) throws {
        var members = JSONObjectWriter()
        members.add("act", nil)
        members.add("aud", ["x", .string(text)])
        members.add("iss", .string(text))
        members.add("ver", 1)

        let read = try JSONDecoder().decode(Shape.self, from: Data(members.bytes))
        #expect(read == Shape(aud: ["x", text], iss: text, ver: 1, act: nil))
    }

    @Test func `no member at all is an empty object`() {
        #expect(String(decoding: JSONObjectWriter().bytes, as: UTF8.self) == "{}")
    }
}
