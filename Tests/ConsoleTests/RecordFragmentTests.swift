import Essentials
import HTTP
import Phone
import TestKit
import Testing

@testable import Console
@testable import PlatformKit

/// The markup of users and devices is what `Tests/Acceptance/console_fragments` says.
@Suite struct RecordFragmentTests {
    private static let remove = ConsoleRecord.Action("remove", "Remove", isFinal: true)
    private static let info = ConsoleInfo(
        version: "1", platforms: [Nameplate.self])

    private func record(_ id: String, _ state: String = "PENDING_COMMIT") throws -> ConsoleRecord {
        let at = try #require(Timestamp.parse("2026-03-04T10:15:00Z"))
        let pin = ConsoleRecord.Input("pin", "PIN", isRequired: true)
        return ConsoleRecord(
            id: id, platform: "hanko", kind: "device", title: "Ada's phone", user: "ada", state: state,
            createdAt: at, facts: [ConsoleRecord.Fact("Failed attempts", "0 of 5")], code: "acme:1234",
            actions: [ConsoleRecord.Action("commit", "Commit", inputs: [pin]), Self.remove],
            steps: [Transaction.Step("CREATED", at: at)])
    }

    private func page(
        _ all: [ConsoleRecord], state: String = "", _ makers: [RecordsPage.Maker] = [],
        refused: RecordsPage.Refused? = nil
    ) -> HTML {
        RecordsPage(
            base: "", choice: .init(state: state), all: all, makers: makers, refused: refused,
            info: Self.info,
            people: [Person(id: "ada", name: "Ada Lovelace", email: "ada@example.com", story: "")]
        ).html
    }

    @Test(arguments: [
        ("ACTIVE", "good"), ("active, with second factor", "good"), ("open", "good"), ("success", "good"),
        ("error", "refused"), ("REMOVED", "refused"), ("login_password", "moved"), ("", "moved"),
    ])
    func `a state is good, on its way or refused, whatever is remarked of it`(state: String, outcome: String)
    {
        #expect(RecordWords.outcome(state) == outcome)
    }

    @Test func `a fact that is a time is shown as one`() {
        let facts = HTML.facts(
            [],
            [
                ConsoleRecord.Fact("Ends", "2026-03-04T10:15:00.678Z"),
                ConsoleRecord.Fact("Note", "2026-03-04T10:15:00.678Y"),
            ]
        ).text
        #expect(
            facts.contains("<dd><time datetime=\"2026-03-04T10:15:00.678Z\">2026-03-04 10:15:00</time></dd>"))
        #expect(facts.contains("<dd>2026-03-04T10:15:00.678Y</dd>"))
    }

    @Test func `the list`() throws {
        let inputs = [
            ConsoleRecord.Input("user", "User", isRequired: true),
            ConsoleRecord.Input("colour", "Colour", choices: ["red"]),
            ConsoleRecord.Input("notes", "Notes", isLong: true),
        ]
        let maker = RecordsPage.Maker(
            platform: Self.info.platforms[0],
            new: NewRecord(kind: "device", title: "Hand out a device", inputs: inputs))
        let refused = RecordsPage.Refused(
            sentence: "There is no user “eve”.", platform: "hanko", kind: "device",
            inputs: ["user": "eve"])
        let all = [try record("7b11"), try record("8c22", "ACTIVE")]
        try FragmentTests.expect(
            page(all, state: "PENDING_COMMIT", [maker], refused: refused), is: "devices")
        try FragmentTests.expect(page([]), is: "devices-empty")
    }

    @Test func `one device`() throws {
        let refused = RecordPage.Refused(
            sentence: "The PIN is wrong.", action: "commit", inputs: ["pin": "0000"])
        let page = RecordPage(base: "", record: try record("7b11"), platform: "Hanko", refused: refused)
        let drawn = page.html.text.replacing(/\ d="[^"]+"/, with: " d=\"\"")
        try FragmentTests.expect(HTML(template: drawn, [:]), is: "device")
    }

    @Test func `a record links the phone of its user, known by id or mail address`() throws {
        let link = #"<a href="/phones/handy">Phone</a>"#
        for phone in [Phone("handy", owner: "ada"), Phone("handy", owner: "a1", mail: "ada")] {
            let page = RecordPage(
                base: "", record: try record("7b11"), platform: "Hanko", refused: nil, phones: [phone])
            #expect(page.html.text.contains(link))
        }
        let other = RecordPage(
            base: "", record: try record("7b11"), platform: "Hanko", refused: nil,
            phones: [Phone("handy", owner: "eve")])
        #expect(!other.html.text.contains(link))
    }

    @Test func `the question`() throws {
        let form = Form("action=remove&input.reason=LOST")
        let question = Question(Self.remove, on: try record("7b11"), form, base: "")
        try FragmentTests.expect(question.page.main, is: "question")
    }
}
