import Crypto
import PlatformKit

/// What the shapes of the state's entries cannot say.
struct StateRules {
    let projects: Set<String>
    private var identities: Set<String> = []
    private var names: Set<String> = []

    init(projects: Set<String>) { self.projects = projects }

    mutating func check(_ identity: Identity, at path: [String]) throws {
        try requireProject(identity.projectID, at: path)
        guard let bytes = Hex.decode(identity.mpinID), !bytes.isEmpty,
            identity.mpinID == Hex.encode(bytes)
        else {
            throw FixtureProblem(
                at: path + ["mpin_id"], "expected the M-Pin id as hexadecimal digits in lower case")
        }
        guard identities.insert(identity.mpinID).inserted else {
            throw FixtureProblem(at: path + ["mpin_id"], "another identity has this M-Pin id")
        }
        do {
            _ = try identity.point()
        } catch {
            throw FixtureProblem(at: path + ["public_key"], error.explanation)
        }
    }

    mutating func check(_ session: AccessSession, at path: [String]) throws {
        try requireProject(session.projectID, at: path)
        try requireNew(session.accessID, "access_id", at: path)
        try requireNew(session.webOTT, "web_ott", at: path)
    }

    func requireProject(_ id: String, at path: [String]) throws {
        guard projects.contains(id) else {
            throw FixtureProblem(at: path + ["project_id"], "there is no project \"\(id)\"")
        }
    }

    func requireIdentity(_ mpinID: String, at path: [String]) throws {
        guard identities.contains(mpinID) else {
            throw FixtureProblem(at: path + ["mpin_id"], "no identity above has this M-Pin id")
        }
    }

    mutating func requireNew(_ text: String, _ member: String, at path: [String]) throws {
        guard names.insert(member + " " + text).inserted else {
            throw FixtureProblem(at: path + [member], "it stands here twice")
        }
    }
}
