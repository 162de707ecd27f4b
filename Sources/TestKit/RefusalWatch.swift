import Essentials
import HTTP
import PlatformKit
import SQLite
import Synchronization
import Testing

/// Compares the state of a world before and after each request of a bench: one that is refused changes nothing but what its platform
/// declares. So every test that provokes a refusal tests this as well.
final class RefusalWatch<P: Platform>: Sendable {
    /// Requests that began, and those that are under way: of those that overlap nobody can say which one changed what.
    private struct Traffic {
        var begun = 0
        var running = 0
    }

    /// A state that was exported.
    private struct Exported {
        let image: DatabaseImage
        let text: ExportText
    }

    private let traffic = Mutex(Traffic())
    private let world: World
    /// What a refusal left is most often what the next one finds.
    private let latest = Mutex<Exported?>(nil)

    init(_ world: World) { self.world = world }

    func watching(_ request: Request, _ respond: () -> Response) -> Response {
        let (begun, isAlone) = traffic.withLock { traffic in
            traffic.begun += 1
            traffic.running += 1
            return (traffic.begun, traffic.running == 1)
        }
        // A world that cannot be copied is the subject of other tests.
        let before = isAlone ? try? world.database.image() : nil
        let response = respond()
        let wasAlone = traffic.withLock { traffic in
            traffic.running -= 1
            return traffic.begun == begun
        }
        if wasAlone, response.status.code >= 400, let before, let after = try? world.database.image(),
            before != after
        {
            compare(request, response, before, after)
        }
        return response
    }

    private func compare(
        _ request: Request, _ response: Response, _ before: DatabaseImage, _ after: DatabaseImage
    ) {
        // A state that cannot be exported is the subject of other tests as well.
        guard let old = try? export(before), let new = try? export(after) else { return }
        do {
            let declared = (P.self as? any CountsRefusals.Type)?.changedByRefusals ?? []
            // Such as an audit log, which grows with each refusal: to read it over and over takes most of the time.
            let members = declared.map { String($0.dropFirst(P.name.count + 1)) }
            let (before, after) = try old.differing(from: new, except: Set(members))
            let differences = StateDifferences([P.name: before], [P.name: after], except: declared).paths
            guard !differences.isEmpty else { return }
            Issue.record(
                """
                \(request.method.rawValue) \(request.path) was refused with \(response.status.code) and changed \
                \(differences.prefix(5).joined(separator: ", ")) all the same; what refusals mean to change, \
                \(P.name) declares in its conformance tests
                """)
        } catch {
            Issue.record(error)
        }
    }

    private func export(_ image: DatabaseImage) throws -> ExportText {
        if let latest = latest.withLock({ $0 }), latest.image == image { return latest.text }
        let text = try ExportText(Database(.image(image)).read { db in try P.export(from: db) })
        latest.withLock { $0 = Exported(image: image, text: text) }
        return text
    }
}

/// What refusals of a platform mean to change: failures they count, uses they note, what they remember against repeats.
///
/// A platform's tests declare it next to ``checkConformance(of:fixtures:)``; one that declares nothing changes nothing when it refuses.
package protocol CountsRefusals {
    /// Paths in the export, where `*` stands for any name or index: `acme.things.*.failures`. A path covers all that lies below it.
    /// One that ends in a list, `acme.audit`, covers its rows as well; otherwise no row may come or go.
    static var changedByRefusals: [String] { get }
}
