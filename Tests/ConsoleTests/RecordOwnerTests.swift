import Essentials
import Testing

@testable import Console
@testable import PlatformKit

/// Whose records belong together.
@Suite struct RecordOwnerTests {
    private static let ada = Person(id: "ada", name: "Ada Lovelace", email: "Ada@example.com", story: "")

    private func record(
        _ platform: String, _ kind: String, _ user: String?, title: String = "", facts: [String] = []
    ) -> ConsoleRecord {
        ConsoleRecord(
            id: "\(platform)-\(kind)-\(user ?? "")", platform: platform, kind: kind, title: title, user: user,
            state: "active", createdAt: Date(timeIntervalSince1970: 0),
            facts: facts.map { ConsoleRecord.Fact("fact", $0) })
    }

    @Test func `an address, an id of the cast and an id whose user has the address are one person`() {
        let all = [
            record("miracl", "identity", "ADA@example.com"), record("powerauth", "registration", "ada"),
            record("passkeyapi", "credential", "u-17"),
            record("passkeyapi", "user", "u-17", title: "A. L.", facts: ["x", "ada@example.com"]),
        ]
        let (owners, others) = RecordOwner.sorted(all, people: [Self.ada])

        #expect(owners.map(\.name) == ["Ada Lovelace"] && others.isEmpty)
        #expect(owners[0].address == "ada@example.com" && owners[0].records == all)
        for name in ["ada", "Ada@Example.com", "U-17"] { #expect(owners[0].isCalled(name)) }
        #expect(!owners[0].isCalled("eve"))
    }

    @Test func `the address of a user of one platform says nothing of the same id at another`() {
        let all = [
            record("hanko", "user", "1", title: "Eve", facts: ["eve@example.com"]),
            record("onegini", "user", "1", title: "Mallory", facts: ["mallory@example.com"]),
        ]
        #expect(RecordOwner.sorted(all, people: []).owners.map(\.name) == ["Eve", "Mallory"])
    }

    @Test func `without an address, the same id is the same person`() {
        let all = [record("powerauth", "registration", "bob"), record("nextauth", "account", "bob")]
        let owners = RecordOwner.sorted(all, people: [Self.ada]).owners
        #expect(owners.map(\.name) == ["bob"] && owners[0].address == nil)
        #expect(owners[0].records.count == 2)
    }

    @Test func `what belongs to nobody is apart, and owners without what fits are left out`() {
        let all = [record("powerauth", "application", nil), record("powerauth", "registration", "bob")]
        let (owners, others) = RecordOwner.sorted(all, people: [])

        #expect(others.map(\.kind) == ["application"])
        #expect(owners.compactMap { $0.keeping { $0.kind == "session" } }.isEmpty)
        #expect(owners.compactMap { $0.keeping { $0.kind == "registration" } }.count == 1)
    }

    @Test(arguments: [
        ("facts with several addresses are none", "a@example.com, b@example.com"),
        ("nor is a sentence", "mail a@b now"),
    ])
    func `only what is an address alone counts as one`(_ what: String, _ fact: String) {
        let owners = RecordOwner.sorted([record("hanko", "user", "1", facts: [fact])], people: []).owners
        #expect(owners[0].address == nil, "\(what)")
    }

    @Test func `kinds are counted in words`() {
        let kinds = ["identity", "identity", "device", "second_factor", "second_factor"]
        let counted = RecordWords.counted(kinds.map { record("acme", $0, "ada") })
        #expect(counted == "1 device, 2 identities, 2 second factors")
    }
}
