import Essentials
import HTTP
import PlatformKit

extension Console {
    struct SnapshotsOutput: Encodable {
        let snapshots: [SnapshotJSON]
        /// Left out without any.
        let damaged: [DamagedSnapshotJSON]?

        init(_ list: SnapshotList) {
            snapshots = list.snapshots.map(SnapshotJSON.init)
            damaged = list.damaged.isEmpty ? nil : list.damaged.map(DamagedSnapshotJSON.init)
        }
    }

    /// A file among the snapshots that cannot be used.
    struct DamagedSnapshotJSON: Encodable {
        let name: String
        let reason: String

        init(_ snapshot: SnapshotList.Damaged) { (name, reason) = (snapshot.name, snapshot.reason + ".") }
    }

    struct SnapshotJSON: Encodable {
        let name: String
        /// The world's time.
        let takenAt: String

        init(_ snapshot: Snapshot) {
            name = snapshot.name
            takenAt = Timestamp.text(snapshot.takenAt)
        }
    }

    /// Bytes of a snapshot's file; that of the built-in cast has some 400,000.
    static let snapshotBytes = 64 * 1024 * 1024

    /// `GET /snapshots`: those of the world, the oldest first.
    ///
    /// - Response: `200 {"snapshots": [{"name", "takenAt"}], "damaged"?: [{"name", "reason"}]}`.
    func listSnapshots(_ world: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        return try .json(SnapshotsOutput(worlds.snapshots(of: world.name)))
    }

    /// `POST /snapshots`: remembers what the world is like now.
    ///
    /// - Request: `{"name"?}`, `{}` for a name that is made up.
    /// - Response: `201 {"name", "takenAt"}`.
    /// - Errors: 400, 409 when the name is taken or there are 100 already.
    func takeSnapshot(_ world: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        let name = try JSONBody(request, "name").value("name", String.self, expected: Self.snapshotName)
        return try made(worlds.takeSnapshot(name, of: world.name), world, request)
    }

    /// `GET /snapshots/NAME`: one of them.
    func showSnapshot(_ world: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        return try .json(SnapshotJSON(worlds.snapshot(request.parameter("name"), of: world.name)))
    }

    /// `DELETE /snapshots/NAME`: 204.
    func deleteSnapshot(_ world: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        try worlds.deleteSnapshot(request.parameter("name"), of: world.name)
        return .noContent
    }

    /// `POST /snapshots/NAME/restore?clock=`: puts the world back to it; 204.
    ///
    /// - Request: `clock=keep` lets the world's clock go on; else it goes back to the moment of the snapshot.
    func restoreSnapshot(_ world: World, _ request: Request) throws -> Response {
        let parameters = try Parameters(request, "clock")
        let (name, clock) = (request.parameter("name"), parameters.text("clock") ?? "restore")
        guard ["restore", "keep"].contains(clock) else {
            throw ControlError.parameter(
                "clock", expected: "“restore” or “keep”", given: "“\(clock)”")
        }
        try restoreSnapshot(name, in: world, keepsClock: clock == "keep")
        return .noContent
    }

    /// - Throws: `WorldError`.
    func restoreSnapshot(_ name: String, in world: World, keepsClock: Bool) throws {
        try worlds.restore(name, in: world.name, keepsClock: keepsClock)
        world.services.journal.event(
            "snapshot restored", about: name,
            "The world was put back to its snapshot “\(name)”; its clock says \(Timestamp.text(world.clock.now))."
        )
    }

    /// `GET /snapshots/NAME/file`: the snapshot as a SQLite file, which any Understudy of this version takes.
    func exportSnapshot(_ world: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        let name = request.parameter("name")
        let size = try worlds.snapshot(name, of: world.name).bytes
        // The copy that is signed with its name, and the file.
        let file = try info.work.holding(2 * size) { try worlds.exportSnapshot(name, of: world.name) }
        var response = Response(status: .ok, body: file)
        response.headers["Content-Type"] = "application/octet-stream"
        response.headers["Content-Disposition"] = "attachment; filename=\"\(name).sqlite\""
        return response
    }

    /// `PUT /snapshots/NAME/file`: makes a snapshot of such a file; 201.
    ///
    /// - Errors: 409 when the name is taken, 422 when the file is no snapshot.
    func importSnapshot(_ world: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        return try made(
            worlds.importSnapshot(request.body, as: request.parameter("name"), into: world.name), world,
            request)
    }

    private static let snapshotName = "1 to 40 of the characters a-z, 0-9 and -"

    func noteSnapshot(_ snapshot: Snapshot, in world: World) {
        world.services.journal.event(
            "snapshot taken", about: snapshot.name,
            "The world can be put back to \(Timestamp.text(snapshot.takenAt)).")
    }

    private func made(_ snapshot: Snapshot, _ world: World, _ request: Request) throws -> Response {
        noteSnapshot(snapshot, in: world)
        var response = try Response.json(SnapshotJSON(snapshot), status: .created)
        response.headers["Location"] = request.mount + Self.root + "/snapshots/" + snapshot.name
        return response
    }
}
