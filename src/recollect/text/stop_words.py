"""Word lists that `words` reads: stop words by language, irregular forms, abbreviations."""

ENGLISH = """
a about after again against all also am an and any are as at be because been before being between both but by can
cannot could did do does doing done down during each either else ever every few for from further get gets got had
has have having he her here hers herself him himself his i if in into is it its itself just let lets like many me
might more most much must my myself no nor not now of off on one only onto or other our ours ourselves out over own
please quite rather really same shall she should so some still such tell than that the their theirs them themselves
then there these they this those though through to too under until up upon us very was we were will with within
without would yes yet you your yours yourself what when where which who whom whose why how dont doesnt didnt isnt
arent wasnt werent cant couldnt wont wouldnt shouldnt hasnt havent hadnt aint im ive id youre youve thats whats
remind remember know
"""
GERMAN = """
der das dem des ein eine einem einen einer eines und oder aber ist sind waren wird werden wurde ich du er sie es wir
ihr mich dich sich uns euch mir dir ihm ihn ihnen mein meine meinen meinem meiner dein deine deinen sein seine
seinen ihre ihren unser unsere nicht kein keine auch noch nur schon sehr als wenn dass ob zu zum zur im am an auf
aus bei fur mit nach von vom vor uber unter um durch wer wie wo wann warum welche welcher welches habe hast haben
hatte kann kannst konnen bitte
"""
FRENCH = """
le la les un une des du de et ou mais est sont etait je tu il elle nous vous ils elles mon ma mes ta tes sa ses
notre votre leur leurs ce cet cette ces que qui quoi quel quelle quels quelles quand comment pourquoi ne pas au aux
dans par sur avec sans pour en se suis es sommes etes ai avons avez ont ete moi toi lui y
"""
SPANISH = """
el los las una unos unas y pero es son esta estan soy eres somos fue yo tu ella nosotros ellos ellas mi mis tus su
sus nuestro nuestra este ese esa esto eso que quien cual cuales cuando donde como porque no al del con por para se
lo le les me te nos he has ha hay muy mas ya tengo tiene
"""
PORTUGUESE = """
o os um uma uns umas e mas sao foi eu ele ela eles elas meu minha meus minhas teu tua seu sua seus suas nosso nossa
isto isso aquilo qual quais quando onde nao ao aos do da na nas no pelo pela sobre para voce voces tenho tem
"""

# Words of greeting, thanks and agreement, in all these languages.
COURTESIES = """
hi hiya hello hey heya yo howdy greetings bye goodbye cheers thanks thank thx ty ok okay cool good great nice lovely
perfect awesome wow excellent amazing wonderful brilliant helpful fine sure yeah yep yup nope nah lol haha hahaha
hehe oh ah hm hmm right alright exactly absolutely definitely agreed understood welcome sorry np hallo servus moin
guten morgen abend danke alles gern gerne tschuss ja nein klar super prima bonjour bonsoir salut merci oui non
daccord hola buenos buenas dias tardes noches gracias adios vale claro ola bom boa dia tarde noite obrigado obrigada
sim
"""

# Stop words of other languages that mean something in English: dropped only beside another foreign stop word.
AMBIGUOUS = """
die war hat man bin den son pour car ton plus sin con era van dos mas com
"""

# The plain form, then the forms that belong to it; a lone word is one that no rule may touch.
IRREGULAR = """
go went gone goes going, buy bought, run ran, mouse mice, child children, wife wives, live lives, be been being,
do did done does, have had has having, see saw seen, take took taken, give gave given, get got gotten, make made,
know knew known, think thought, come came, become became, find found, tell told, feel felt, leave left leaves,
keep kept, begin began begun, bring brought, write wrote written, stand stood, hear heard, mean meant, meet met,
pay paid, sit sat, speak spoke spoken, grow grew grown, lose lost losing, fall fell fallen, send sent, build built,
understand understood, draw drew drawn, break broke broken, spend spent, drive drove driven, wear wore worn,
choose chose chosen, eat ate eaten, drink drank drunk, sleep slept, sell sold, teach taught, catch caught,
fly flew flown flies, forget forgot forgotten, win won, sing sang sung, swim swam swum, throw threw thrown,
ride rode ridden, hold held, say said says, marry married, die died dies dying, lie lied lies lying,
tie tied ties tying, knife knives, life, leaf, wolf wolves, shelf shelves, half halves, thief thieves, loaf loaves,
calf calves, scarf scarves, self selves, man men, woman women, person people persons, foot feet, tooth teeth,
goose geese, bus buses, gas gases, quiz quizzes, shoe shoes, toe toes, movie movies, cookie cookies,
calorie calories, selfie selfies, smoothie smoothies, brownie brownies, zombie zombies, pie pies,
agree agreed agreeing, free freed, guarantee guaranteed, create created creating, add added adding,
focus focused focusing, allergy allergic allergies, color colour colours colored coloured,
favorite favourite favourites, favor favour, neighbor neighbour neighbours, behavior behaviour,
flavor flavour flavours, center centre, theater theatre, gray grey, program programme programs programmes,
organize organise organised, realize realise realised, install installed installing, postpone postponed,
rename renamed, welcome welcomed, change changed changing changes, arrange arranged arranging, exchange exchanged,
challenge challenged challenging, paint painting, news, lens, series, species, family, july, wedding, building,
evening, morning, nothing, something, anything, everything, during, ceiling, sibling, pudding, hundred, naked,
ache aches, cache caches, niche niches, headache headaches, axe axes, size sizes, prize prizes, this, always,
perhaps, bless, reply replied
"""

ABBREVIATIONS = """
dr mr mrs ms mx prof st sr jr vs eg ie cf approx appr est ca dept fig no nr vol pp rev gen gov sen rep capt sgt col
lt hon inc ltd co corp bzw usw str tel al jan feb mar apr jun jul aug sep sept oct nov dec e.g i.e z.b d.h u.a
"""
ABBREVIATIONS_THAT_MAY_END = """
inc ltd co corp no fig usw al est st jr sr jan feb mar apr jun jul aug sep sept oct nov dec
"""
SENTENCE_STARTERS = """
i my we our he she it they you your the this that these but and so there his her their also now then what when where
who how why which can could does do did is are was were any would should please thanks thank if let just
"""
