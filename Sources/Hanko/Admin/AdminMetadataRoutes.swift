import Essentials
import HTTP
import PlatformKit
import SQLite

extension Hanko {
    /// `GET /users/{id}/metadata`: all three kinds.
    ///
    /// - Request: nothing.
    /// - Response: `200 {"public_metadata"?, "private_metadata"?, "unsafe_metadata"?}`, or `204` when there is none.
    /// - Errors: 400; 404 `user not found`.
    /// - Source: Hanko 2.7, admin API.
    func adminShowMetadata(_ request: Request) throws -> Response {
        let id = try adminUserParameter(request)
        return try Self.answer(requireAccount(id).metadata)
    }

    /// `PATCH /users/{id}/metadata`: merges changes into the metadata, by RFC 7396.
    ///
    /// - Request: an object with any of the three kinds, each an object or null; or null for everything. Other members are
    ///   ignored, and `{}` changes nothing.
    /// - Response: as for `GET`, after the change.
    /// - Errors: 400 for anything else, and for more than 3000 characters of one kind or 32 levels in all; 404 `user not found`.
    /// - Source: Hanko 2.7, admin API. The limit of levels is ours.
    func adminChangeMetadata(_ request: Request) throws -> Response {
        let id = try adminUserParameter(request)
        let patch = try MetadataPatch(request.anyInput())
        let metadata = try world.change { turn in
            _ = try turn.db.requireUser(id)
            let before = try turn.db.metadata(of: id)
            let after = try patch.applied(to: before)
            if after != before { try turn.save(after) }
            return after
        }
        return try Self.answer(metadata)
    }

    private static func answer(_ metadata: Metadata) throws -> Response {
        try AdminMetadata(metadata).map { try .hanko($0) } ?? .noContent
    }
}

/// What is to be merged into the three kinds.
private struct MetadataPatch {
    /// By the name of the member; `.null` clears the kind.
    private var changes: [String: JSONValue] = [:]

    private static var kinds: [(name: String, path: WritableKeyPath<Metadata, JSONValue?>)] {
        [("public_metadata", \.public), ("private_metadata", \.private), ("unsafe_metadata", \.unsafe)]
    }

    init(_ body: JSONValue) throws {
        if body.isNull {
            for (name, _) in Self.kinds { changes[name] = .null }
            return
        }
        guard let members = body.object else {
            throw AdminRefusal.memberWrong("Expected a JSON object or null as the body.")
        }
        for (name, value) in members where Self.kinds.contains(where: { $0.name == name.lowercased() }) {
            guard value.isNull || value.object != nil else {
                throw AdminRefusal.memberWrong("Expected an object or null in “\(name)”.")
            }
            changes[name.lowercased()] = value
        }
    }

    func applied(to metadata: Metadata) throws -> Metadata {
        var metadata = metadata
        for (name, path) in Self.kinds {
            guard let change = changes[name] else { continue }
            let merged =
                change.object == [:]
                ? metadata[keyPath: path] : Metadata.merged(change, into: metadata[keyPath: path])
            let length = merged?.text.count ?? 0
            guard length <= Metadata.limit else {
                throw AdminRefusal.metadataTooLong(name, characters: length)
            }
            metadata[keyPath: path] = merged == .object([:]) ? nil : merged
        }
        return metadata
    }
}
