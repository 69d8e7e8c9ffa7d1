-- What the types of the mod do. What they must remember is in their members, so it is saved with the game.

Drum = {}

-- Called in every tick of the unit that has the drum.
function Drum.tick(self, unit, now)
    if now < self.next then
        return
    end
    self.beat = self.beat % #self.rhythm + 1
    self.next = now + self.rhythm[self.beat]
    if unit.wounds > 0 and variant(self.mood) == "Steady" then
        self.mood = { Alarmed = { since = now } }
    end
    local stress = 1
    if variant(self.mood) == "Alarmed" then
        self.mood.strokes = self.mood.strokes + 1
        stress = 2
        if self.mood.strokes > 5 then
            self.mood = "Steady"
        end
    end
    effect { Calm = { stress = stress, reach = 6 } }
end

Drill = {}

-- Called in every tick until it returns an outcome.
function Drill.step(self, unit, now)
    if now % 5 > 0 then
        return nil
    end
    self.done = self.done + 1
    effect { Heal = { strength = 1, reach = 0 } }
    if self.done >= self.rounds then
        return "Succeeded"
    end
end
