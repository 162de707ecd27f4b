import HTTP
import Testing

struct BasicCredentialsTests {
    // RFC 7617 §2 and §2.1.
    @Test(arguments: [
        ("Aladdin", "open sesame", "QWxhZGRpbjpvcGVuIHNlc2FtZQ=="), ("test", "123£", "dGVzdDoxMjPCow=="),
    ])
    func `the examples of RFC 7617 are written and read`(name: String, password: String, value: String) throws
    {
        let credentials = BasicCredentials(name: name, password: password)
        #expect(credentials.header == "Basic " + value)
        #expect(try BasicCredentials(parsing: value) == credentials)
    }

    @Test func `the password may have colons and begin with a combining character`() throws {
        #expect(try BasicCredentials(parsing: "YTpiOmM=") == BasicCredentials(name: "a", password: "b:c"))
        // a, colon, U+0301
        #expect(try BasicCredentials(parsing: "YTrMgQ==") == BasicCredentials(name: "a", password: "\u{301}"))
    }

    @Test(arguments: [
        ("!!!", BasicCredentials.Fault.noBase64), ("/w==", .noText), ("YWI=", .noColon), ("", .noColon),
    ])
    func `other values are refused with a reason`(value: String, fault: BasicCredentials.Fault) {
        #expect(throws: fault) { try BasicCredentials(parsing: value) }
    }

    @Test func `a scheme is found in any case, its value without the blanks before it`() {
        #expect("bAsIc   abc".value(ofScheme: "Basic") == "abc")
        #expect("Basically abc".value(ofScheme: "Basic") == nil)
        #expect("Basic".value(ofScheme: "Basic") == nil)
    }
}
