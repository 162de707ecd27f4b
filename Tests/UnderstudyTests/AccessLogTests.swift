import Testing

@testable import Understudy

@Suite struct AccessLogTests {
    @Test(arguments: [
        ("/hanko/users", "/hanko/users"),
        ("/?token=secret", "/?token=…"),
        ("/outbox?to=a%40b&token=secret&after=3", "/outbox?to=a%40b&token=…&after=3"),
        ("/outbox?mytoken=1", "/outbox?mytoken=1"),
        ("/outbox?", "/outbox?"),
    ])
    func `a line does not show the control token`(_ target: String, _ shown: String) {
        #expect(AccessLog.withoutToken(target) == shown)
    }
}
