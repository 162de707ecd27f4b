/// What is counted in steps: points of the curve, or values of the pairing.
protocol Countable {
    static func + (one: Self, other: Self) -> Self
    static prefix func - (element: Self) -> Self
    /// Whether it is the one that changes nothing.
    var isNeutral: Bool { get }
    /// The first is the same for an element and its negative, the second tells them apart.
    var coordinates: (common: [UInt8], own: [UInt8]) { get }
}

extension Countable {
    /// - Parameter count: one at least.
    fileprivate func times(_ count: Int) -> Self {
        if count == 1 { return self }
        let half = times(count / 2)
        return count % 2 == 0 ? half + half : half + half + self
    }
}

/// Finds out how many steps an element is away from the neutral one, in either direction. Source: Shanks, baby steps and giant steps.
struct DistanceSearch<Element: Countable> {
    /// The giant steps are as wide as the baby steps reach in both directions.
    private let reach: Int
    private let limit: Int
    private let giantStep: Element
    /// By what so many steps have in common with their negative: what they have of their own, and the count.
    private let babySteps: [[UInt8]: (own: [UInt8], count: Int)]

    init(step: Element, limit: Int) {
        var (reach, steps, element) = (0, [[UInt8]: (own: [UInt8], count: Int)](), step)
        repeat {
            reach += 1
            let (common, own) = element.coordinates
            steps[common] = (own, reach)
            element = element + step
        } while reach * reach < limit
        (self.reach, self.limit, babySteps) = (reach, limit, steps)
        giantStep = step.times(2 * reach + 1)
    }

    /// The number, below the limit in magnitude, of steps that lead from the element to the neutral one.
    func steps(from element: Element) -> Int? {
        var (up, down) = (element, element)
        for giant in 0...limit / (2 * reach + 1) + 1 {
            for (place, sign) in [(up, 1), (down, -1)] {
                guard let rest = rest(of: place) else { continue }
                let found = sign * giant * (2 * reach + 1) + rest
                if abs(found) < limit { return found }
            }
            (up, down) = (up + giantStep, down + -giantStep)
        }
        return nil
    }

    private func rest(of element: Element) -> Int? {
        if element.isNeutral { return 0 }
        let (common, own) = element.coordinates
        return babySteps[common].map { $0.own == own ? -$0.count : $0.count }
    }
}

extension G1Point: Countable {
    var isNeutral: Bool { isInfinity }

    /// x and y
    var coordinates: (common: [UInt8], own: [UInt8]) {
        let bytes = bytes
        return (Array(bytes.dropFirst().prefix(32)), Array(bytes.suffix(32)))
    }
}
