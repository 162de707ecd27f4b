import HTTP
import Testing

@testable import Console

@Suite struct MultipartFormTests {
    private func form(
        _ body: String, _ type: String = "multipart/form-data; boundary=AaB03x"
    ) throws -> MultipartForm {
        try MultipartForm(
            Request(.post, "/compare", headers: ["Content-Type": type], body: Array(body.utf8)))
    }

    // RFC 7578 §4; RFC 2046 §5.1.1: the line break before a divider belongs to it.
    @Test func `fields and files are read byte by byte`() throws {
        let form = try form(
            "--AaB03x\r\nContent-Disposition: form-data; name=\"base\"\r\n\r\na\r\n\r\n--AaB03\r\n"
                + "--AaB03x\r\ncontent-disposition: form-data; name=\"recording\"; filename=\"a;%22b.har\"\r\n"
                + "Content-Type: application/json\r\n\r\n{\r\n}\r\n--AaB03x--\r\n")

        #expect(form["base"] == "a\r\n\r\n--AaB03")
        #expect(form.file("recording")?.file == "a;\"b.har")
        #expect(form.file("recording")?.bytes == Array("{\r\n}".utf8))
        #expect(form.file("base") == nil && form["rules"] == nil && form.parts.count == 2)
    }

    @Test func `a file that nobody chose is none`() throws {
        let form = try form(
            "--AaB03x\r\nContent-Disposition: form-data; name=\"recording\"; filename=\"\"\r\n\r\n\r\n--AaB03x--",
            "Multipart/Form-Data; charset=utf-8; boundary=\"AaB03x\"")
        #expect(form.file("recording") == nil && form.parts.count == 1)
    }

    @Test(arguments: [
        "", "--AaB03x", "--AaB03x\r\n", "AaB03x--",
        "--AaB03x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nb",
        "--AaB03x\r\nContent-Disposition: form-data\r\n\r\nb\r\n--AaB03x--",
        "--AaB03x\r\nContent-Disposition: form-data; name=\"a\"\r\nb\r\n--AaB03x--",
        "--AaB03xContent-Disposition: form-data; name=\"a\"\r\n\r\nb\r\n--AaB03x--",
        String(repeating: "--AaB03x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nb\r\n", count: 65)
            + "--AaB03x--",
    ])
    func `what is no such form is refused`(_ body: String) {
        #expect(throws: RequestMalformed.self) { try form(body) }
    }

    @Test(arguments: [
        "multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=\"\"",
    ])
    func `a form that names no divider is refused`(_ type: String) {
        #expect(throws: RequestMalformed.self) { try form("--\r\n\r\n\r\n----", type) }
    }
}
